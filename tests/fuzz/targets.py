"""Every surface that takes input."""

from fuzz import access, files, fronts, programs, questions, repositories
from fuzz.target import Target

TARGETS: tuple[Target, ...] = (
    *repositories.TARGETS,
    *files.TARGETS,
    *questions.TARGETS,
    *access.TARGETS,
    *fronts.TARGETS,
    *programs.TARGETS,
)
