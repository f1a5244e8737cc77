"""Questions to intermediate queries: names, grammar, nearest pairs, and a language model where there is one."""
