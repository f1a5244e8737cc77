"""What it costs to query a file's syntax, counted before it is done: each node by how deep it stands."""

from tree_sitter import Tree


class TooCostlyError(Exception):
    """Queries go up and down from each node, so long chains and deep nests cost the square of their length."""


def check_cost(tree: Tree, most: int) -> None:
    """Raises TooCostlyError when the depths of all nodes add up to more than `most`."""
    if tree.root_node.descendant_count**2 <= most:
        return
    cursor, depth, steps = tree.walk(), 0, 0
    while True:
        steps += depth
        if steps > most:
            raise TooCostlyError
        if cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            depth -= 1
