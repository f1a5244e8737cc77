"""`python -m headwater.stack [NAME …]` installs the components into the stack folder."""

import sys

from headwater.runtime.installed import stack_dir
from headwater.stack import COMPONENTS, MissingComponentError
from headwater.stack.process import StartError


def main(names: list[str]) -> int:
    missing = 0
    for name in names or list(COMPONENTS):
        try:
            COMPONENTS[name].install(stack_dir())
        except (MissingComponentError, StartError) as failure:
            sys.stderr.write(f"{failure}\n")
            missing += 1
        else:
            sys.stdout.write(f"{name}: installed\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
