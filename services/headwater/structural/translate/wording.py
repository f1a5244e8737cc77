"""Turns developers' turns of phrase into the ones that the grammar reads; code, names and values stay as they are."""

import re
from collections.abc import Callable

from headwater.structural.too_large import TooLargeError
from headwater.structural.translate.phrases import CONSTRUCT_PHRASES, Replacement

_KEPT = re.compile(r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^'\s][^']*'(?!\w)")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_ORDINAL = rf"({'|'.join(_ORDINALS)}|last|only)"
_ARGUMENT = r"(?:arguments?|args?|parameters?|params?|operands?)"
_THING = r"(?:\w+(?:\.\w+)*(?:\([^()]*\))?)"
_MADE = r"(?:returned|returns|return|gives? back|gave|gives|yields?|produced|produces|computes?|spits? out)"
_END = r"(?=\s*(?:[,;?]|\band\b|\bbut\b|\bor the\b|$|\b(?:inside|within|in|under|after|before)\b))"


def _nth(match: re.Match[str]) -> str:
    number = int(match.group(1))
    return _ORDINALS[number - 1] if 0 < number <= len(_ORDINALS) else match.group()


def _nth_argument(match: re.Match[str]) -> str:
    number = int(match.group(1))
    return f"{_ORDINALS[number - 1]} argument" if 0 < number <= len(_ORDINALS) else match.group()


_NUMBERS = {"0": "zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven"}
_DIGITS = {word: int(digit) for digit, word in _NUMBERS.items()} | {"a": 1, "single": 1}


def _counted(comparison: str, number: str, more: int) -> str:
    value = int(number) if number.isdigit() else _DIGITS.get(number.lower(), -1)
    return f"{comparison} {max(value + more, 0)}" if value >= 0 else number


# In this order. Each makes the question no longer in meaning, only plainer in words.
_REWRITES: tuple[tuple[str, Replacement], ...] = (
    (r"[’´]", "'"),
    # abbreviations and contractions
    (r"(?<!\w)w/o\b|(?<!\w)w/out\b|\bwithout any\b|\bwith no\b(?! (?:arg|param|operand))", "without"),
    (r"(?<!\w)w/(?=\s|\w)", "with "),
    (r"(?<=\w) & (?=\w)(?!\w*(?:oper|op\b|ops\b|sign|expr))", " and "),
    (r"\b(is|are|was|were|does|do|did|has|have|had|could|would|should)n'?t\b", r"\1 not"),
    (r"\b(?:can't|cant|cannot|won't|wont)\b", "not"),
    (r"\b(that|there|where|what|who)'?s\b", r"\1 is"),
    (r"\b(they|we|you|i)'(?:re|ve|d|m|ll)\b", r"\1"),
    (r"\bsth\.?(?!\w)|\bsmth\b", "something"),
    (r"\bi\.e\.|\be\.g\.|\bbtw\b|\baka\b", ","),
    # politeness and what leads up to the question
    (r"\b(?:could|can|would|will) (?:you|u|i|we|somebody|anyone)\b", ""),
    (r"\b(?:please|pls|plz|kindly|thanks|thx|thank you|hey|hi|hello)\b", ""),
    (
        r"\b(?:i|we) (?:would like|want|need|wanna|like|am|are)(?: to| looking for)?(?: see| find| know| get| have)?\b",
        "",
    ),
    (r"\b(?:looking for|search for|look for|interested in|point me to|tell me|give me|show me|find me|get me)\b", ""),
    (r"\?\s*(?:show|list|find|print|display|just show)\b.*$", "?"),
    # hedges and what is said of every relation anyway
    (
        r",? ?\b(?:maybe|perhaps|possibly|even if|also if)?,? ?(?:via|through|by way of) (?:a|some|another"
        r"|other|intermediate)"
        r"(?: local| other)? (?:variables?|vars?|locals?)\b,?",
        "",
    ),
    (r"\b(?:directly or indirectly|directly or not|or not|in turn|on (?:its|their) own|so to speak|or similar)\b", ""),
    (
        r"\b(?:later |further down |somewhere |right |earlier )?(?:in|within|of) (?:the|that) same"
        r" (?:block|scope|method|function|body|code block|statement list)\b",
        "",
    ),
    (
        r"\b(?:at all|somewhere|anywhere|ever|actually|basically|simply|really|maybe|perhaps|possibly|themselves|itself"
        r"|respectively|already|still|again|altogether|usually|sometimes|either|both|chained|plain|certain|particular"
        r"|specific|freshly|newly)\b",
        "",
    ),
    (r"(?<!type )\b(?:any|some)(?: kind| sort| type)?(?: of)? (?=[a-z])", "a "),
    (r"\b(?:another|one more|any one|any other|some other)\b", "a"),
    (r"\b(?:but|although|though|whereas)\b", "and"),
    (
        r"\b(?:executed|called|run|invoked|reached|happening|occurring|performed|located|placed|sitting|living"
        r"|appearing"
        r"|found|nested|wrapped|enclosed|contained)(?= (?:only )?(?:in|inside|within|under|outside)\b)",
        "",
    ),
    (r"\b(switch(?:es)?)(?: statements?| expressions?)? (?:over|through)\b", r"\1 using"),
    (r"\b(?:arround|araund|surrounding it|around it|around them)\b", "around"),
    (r"\bwithout (an? |the )?(\w+(?: \w+)?) around\b", r"not inside a \2"),
    (r"\b(?:as well as|along with|together with|in addition to|additionally|and also|plus also)\b", "and"),
    # constructs by their nicknames
    (r"\bfors\b", "for loops"),
    (
        r"\b(an?|the|each|every|nested|inside|in|within|under|outside|or|and|of) for\b"
        r"(?=\s*(?:$|[,;.?)]|(?:and|or|that|which|with|without|containing|inside|in|over|not|whose|using)\b))",
        r"\1 for loop",
    ),
    (r"\b(?:infinite|endless|forever|never ending) (?:while )?loops?\b", "while loops with true in the condition"),
    (r"\bcatch (\w*(?:Exception|Error|Throwable)\w*) (?:blocks?|clauses?|handlers?)", r"catch blocks of \1"),
    (r"\bre-?throw(s|ing)?\b", r"throw\1"),
    (
        r"\b(?:subclass(?:es)?|sub-?types?|implementations?|implementors?|implementers?|descendants?) of\b",
        "classes extending",
    ),
    (
        r"\b(?:class(?:es)?|types?) (?:that )?(?:derived?|deriv(?:es|ing)|inherits?|inheriting) from\b",
        "classes extending",
    ),
    (r"\bempty strings?\b", '""'),
    (
        r"\b(?:hard-?coded|magic|fixed|constant) (?:(string)s?|(?:number|int|integer|numeric)s?)\b(?: literals?"
        r"| constants?)?",
        lambda m: "string literal" if m.group(1) else "number literal",
    ),
    (r"\bstring concat(?:enation)?s?\b", "concatenation"),
    (r"\(([A-Z]\w*)\) casts?\b", r"casts to \1"),
    (r"\b(\w+)[- ]typed (variables?|vars?|locals?|params?|parameters?|fields?|arguments?)\b", r"\2 of type \1"),
    (r"\b(?:increments?|incrementing) of (?!(?:an?|the|some)\b)(\w+)\b", r"\1++"),
    (r"\b(?:decrements?|decrementing) of (?!(?:an?|the|some)\b)(\w+)\b", r"\1--"),
    # conditions and comparisons
    (r"\b(?:non|not)[- ]null (?:checks?|tests?|comparisons?)\b|!= ?null (?:checks?|tests?|comparisons?)\b", "!= null"),
    (r"(==|!=|<=|>=|<|>) ?(null|-?\d+) (?:checks?|tests?|comparisons?|conditions?)\b", r"\1 \2"),
    (
        r"\bnull[- ](?:checks?|tests?|comparisons?)\b|\b(?:checks?|tests?|comparisons?) (?:for|against|with|to) null\b",
        "comparison with null",
    ),
    (
        r"\b(?:in|inside|within|inside of|as part of|part of) (?:an? |the |its )?(if|while|for|loop|switch"
        r"|do)(?: statement| loop)?"
        r"(?:'s)?[- ](?:condition|test|guard|header)s?\b",
        lambda m: f"in the condition of a {m.group(1)}{' loop' if m.group(1) == 'for' else ''}",
    ),
    (
        r"\b(?:that |which )?(?:compar(?:es?|ing)) (?:something|anything|a variable|a value|stuff|it|things)"
        r" (?:to|with|against|and)\b",
        "checking",
    ),
    (
        r"\b(?:that |which )?(?:is |are |gets? |being )?compared (?:to|with|against)"
        r" (?!(?:[=!<>]=|<|>)\s*(?:$|[,;?]|in |inside ))(?:(<=|>=|==|!=|<|>) )?",
        lambda m: f"whose value is used by a {m.group(1) or 'comparison'} with ",
    ),
    (
        r"\b(?:right|directly|immediately|shortly|straight|just|somewhere) (?=(?:before|after|in|inside|within"
        r"|following|followed|preceded)\b)",
        "",
    ),
    (r"\b(?:happens?|happening|occurs?|occurring|appears?|appearing|exists?|existing)\b", ""),
    (
        r"\b(?:spots?|sites?|bits?(?! shift)|snippets?|pieces?|chunks?|parts?|lines?) (?=(?:of code|where"
        r"|in which|that|which|of)\b)",
        "places ",
    ),
    (r"\bplaces of code\b", "places"),
    (r"(?<!if )\b(?:and )?then(?: (?:calls?|calling|does|do))?\b(?! \w+(?:ed|own|ast)\b)(?= \w)", "followed by"),
    (r"\b(?:and )?then (?=\w+(?:ed|own|ast)\b)", "that are "),
    (r"\bops?\b", "operator"),
    (r"\b(?:unsigned right shift|logical shift right)s?\b", ">>> operator"),
    (r"\b(?:left shift|shift left)s?\b", "<< operator"),
    (r"\b(?:right shift|shift right)s?\b", ">> operator"),
    (r"\bbit ?shift(?:s|ing)?\b", "shift operator"),
    (r"\bbitwise and\b", "& operator"),
    (r"\bbitwise or\b", "| operator"),
    (r"\bbitwise xor\b|\bxor\b", "^ operator"),
    (
        r"\b(for[- ]?each(?:es)?|fors?|loops?|while)( loops?| statements?)? (?:that |which )?(?:are )?(?:go"
        r"|goes|going|run|runs|running|walk|walks|walking"
        r"|iterates?|iterating|loops?|looping|cycles?|cycling|steps?|stepping)? ?(?:over|through|across)\b",
        r"\1\2 using",
    ),
    (r"\b(?:iterat(?:es?|ing|ions?)|looping|loop) (?:over|through|across)\b", "loops using"),
    (r"\bcalls? (?:that |which )?(?:is |are |gets? )?negated\b", "calls that are an operand of !"),
    (
        r"\b(methods?|functions?) (?:named |called )?(?!(?:call|invocation|declaration|param|arg)\w*\b)(\w+)"
        r" of (?:the )?(?:class )?((?-i:[A-Z])\w*)\b",
        r"\1 \3.\2",
    ),
    (
        r"\b(?:passed |used |given |handed |appearing )?as (?:an? |the )?(?:method|call"
        r"|function)(?: call)?(?:'s)? (?:args?|arguments?|params?|parameters?)\b(?! (?:of|to|for))",
        "passed to a call",
    ),
    (r"\bpassed as (?:an? )?(?:args?|arguments?|params?|parameters?)\b(?! (?:of|to|for|in))", "passed to a call"),
    (
        r"\bassigned to (?:an? |some )?(?:local )?(?:variables?|vars?|fields?"
        r"|locals?)\b(?! [A-Za-z]+\b(?<!in)(?<!inside))",
        "assigned in an assignment",
    ),
    (
        r"\b(?:where|whose|with) (?:the |its )?(?:receiver|target object) (?:is|being|=)\b"
        r"|\bwith (?=[^,]{1,200} as (?:the )?receiver)",
        "called on",
    ),
    (r"\bas (?:the )?receiver\b(?! of)", ""),
    (
        r"\bcompared (?:to|with|against|using|by) (==|!=|<=|>=|<|>)(?=\s*(?:$|[,;?]|in |inside ))",
        r"whose value is used by a \1",
    ),
    (r"\bin (?:conditions|a condition)\b(?! of)", "in the condition of an if"),
    (r"\b(breaks?|breaking) out of\b", r"\1 inside"),
    (r"\b(?:local|member) (vars?|variables?)\b", r"\1"),
    (r"\b(?:variable|var|local) decls?\b", "variable declarations"),
    (r"\bdecls?\b", "declarations"),
    (r"\b(?:un-?initiali[sz]ed)\b", ""),
    (r"\bnot[- ]equals?\b(?! method)", "!="),
    (
        r"\bcalls? (?:to|of) (?:an? |the )?(?:methods?|functions?) (?=named|called|starting|beginning|ending"
        r"|whose|that (?:start|begin|end)|which)",
        "calls ",
    ),
    (
        r"(?:\b(?:that|which|whose names?|with names?(?: that)?) )?\b(?:starts?|starting|begins?"
        r"|beginning) with ['\"]?(\w+)['\"]?",
        r"named \1*",
    ),
    (
        r"(?:\b(?:that|which|whose names?|with names?(?: that)?) )?\b(?:ends?|ending) with ['\"]?([A-Za-z]\w+)['\"]?",
        r"named *\1",
    ),
    (
        r"\b(?:where|whose) (?:the |its |an? |one )?(?:arg|argument|parameter|param|operand)s? (?:is|are|=|being)"
        r" (.{1,200}?)" + _END,
        r"with \1 as an argument",
    ),
    (r"\bbetween (.{1,200}?) and (.{1,200}?)" + _END, r"with \1 and with \2"),
    (r"\bwith a string\b(?! \w)", "with a string literal"),
    (r"\bbeing (?=created|constructed|instantiated|allocated|built)", ""),
    (r"\bconstructing\b|^constructs? (?=an? )", "creating "),
    (r"\bextends? something and\b", ""),
    (r"\bcond\b", "condition"),
    (r"\b(?:in|inside) which\b", "containing"),
    (r"\b(?:giving|handing) back\b", "of"),
    (r"\b(?:compares?|comparing) (?:it |something )?(?:to|with|against)\b", "checking"),
    (
        r"\barrays?(?: elements?)? (?:that are )?(?:indexed|accessed) (?:by|with|at|using) (.{1,200}?)" + _END,
        r"array accesses with \1 as argument",
    ),
    (r"\b(?:inside|in|within) (?:an? |the )?(?:args?|arguments?|params?) (?:list )?(?:of|to)\b", "inside"),
    (r"\bwith (?:the )?name (\w+)\b", r"named \1"),
    (r"\bwith (\w+) in (?:the|its|their) names?\b", r"named *\1*"),
    # counts
    (r"\bmore than (\w+)(?= (?:arg|param|operand))", lambda m: _counted("at least", m.group(1), 1)),
    (r"\b(?:fewer|less) than (\w+)(?= (?:arg|param|operand))", lambda m: _counted("at most", m.group(1), -1)),
    (r"\b(\w+) or more(?= (?:arg|param|operand))", r"at least \1"),
    (r"\b(\d)\+(?= (?:arg|param|operand))", r"at least \1"),
    (r"\b(\w+) or (?:fewer|less)(?= (?:arg|param|operand))", r"at most \1"),
    (
        r"\b(\d|no|zero|one|single|two|three|four|five)-(arg|argument|param|parameter)s?\b",
        lambda m: f"{_NUMBERS.get(m.group(1), m.group(1))} {m.group(2)}",
    ),
    (r"\b(?:parameter|argument|arg|param)-?less\b", "no arg"),
    (r"\bless[- ]than(?: or equal(?: to)?)?\b(?! \w+ (?:arg|param))", "<"),
    (r"\bgreater[- ]than(?: or equal(?: to)?)?\b(?! \w+ (?:arg|param))", ">"),
    # values
    (
        r"\b(?:where|whose|with) (?:the |its )?(?:right(?:[- ]hand)?(?:[- ]side)?|rhs|assigned value|value)"
        r" (?:is|being|=|are|equals)\b",
        "of",
    ),
    (
        r"(?:\b(?:whose|where the|where its|and the|with the|with an?) )?\b(?:results?|return(?:ed)? values?|values?)"
        r" (?:is |are |gets? |being )?(?:ignored|unused|discarded|dropped|thrown away|not used|never used)\b",
        "not used by an expression",
    ),
    (r"\b(?:never|not)(?: being| actually)? used\b(?! (?:in|by|as|inside|within|for)\b)", "not used by an expression"),
    (r"\b(?:gets?|is|are|being) cast(?:ed)?\b(?! to)", "being cast"),
    (r"\bas (?:an? |the )?(?:index|subscript)\b", "as argument"),
    (r"\b(?:annotated|marked|tagged|decorated) (?:with|by|as)? ?(?:an? )?(?=@)", "annotated with "),
    # arguments by their place
    (r"\b(\d)(?:st|nd|rd|th)\b", _nth),
    (rf"\b{_ARGUMENT} ?(?:number |no\.? ?|nr\.? ?|#)(\d)\b", _nth_argument),
    (r"\b(?:arg|argument|param|parameter) (\d)(?= (?:is|being|=|equals|set)\b)", _nth_argument),
    (
        rf"(?:\b(?:with|whose|where|having|when)\b )?(?:\b(?:the|its|their|a)\b )?\b{_ORDINAL} {_ARGUMENT}"
        rf" (?:is|are|being|==?|equals|equal to|set to|must be|has to be|gets) (?:equal to )?(?!not\b)"
        rf"(.{{1,200}}?){_END}",
        r"with \2 as the \1 argument",
    ),
    # what another thing gives
    (
        r"(?:\b(?:a|an|the) )?\b(?:variables?|vars?|values?|objects?|things?|something|locals?)(?: that"
        r"| which)?(?: is| was| are| were)?"
        r" (?:coming|came|comes|obtained|gotten|got|taken|received|initiali[sz]ed|assigned|set|filled|holding)"
        r" (?:from|with|by)\b(?: the result of)?",
        "the result of",
    ),
    (
        r"\b(?:what|whatever|that which|anything that|something that|stuff that) (?:came|comes|come|coming|got|gets)"
        r" (?:back )?(?:out of|from|back from)\b",
        "the result of",
    ),
    (rf"\bwhat(?:ever)? ({_THING}) (?:has |had |have |just )?{_MADE}\b", r"the result of \1"),
    (
        r"\b(?:return value|returned value|output|outcome|results|value returned|value produced) (?:of|from)\b",
        "the result of",
    ),
    (
        r"\b(?:values?|things?|stuff|objects?|something|whatever)(?: that)?(?: is| was| are| were)?"
        r" (?:returned|produced|given|yielded|computed|delivered) (?:by|from)\b",
        "the result of",
    ),
    # flow
    (
        r"\b(?:in)?to which (.{1,200}?) (?:flows?|goes|is fed|is passed|gets passed|ends up|is given|are passed)\b",
        r"using \1",
    ),
    (
        r"\b(?:that|which) (the .{1,200}?|an? .{1,200}?) (?:feeds?|flows? into|goes? into|is used by"
        r"|ends? up in)(?=\s*(?:[,;?]|$))",
        r"using \1",
    ),
    (
        r"\b(?:ends?|ending|winds?|lands?) up (?:being |as part of )?(?:in|inside|as)\b|\bmakes? its way (?:in)?to\b"
        r"|\blands? in\b|\b(?:flows?|flowing|fed|feeds?|feeding|goes|go|going|piped|poured) into\b|\bfed to\b"
        r"|\bfeeds?\b(?= (?!with|from|on)\w)",
        "whose value is used by",
    ),
    (
        r"\b(?:fed|supplied|provided) (?:with|by|from)\b|\bbuilt (?:with|from|out of)\b|\bmade (?:from|out of)\b"
        r"|\bworking (?:on|with)\b|\boperating on\b|\bacting on\b|\bdone on\b|\bperformed on\b|\bapplied to\b",
        "using",
    ),
    # nothing inside
    (
        r"\b(?:with|having|has|have|there is|containing|contains)? ?\b(?:nothing|no code|no statements?)(?: else)?"
        r"(?: at all| whatsoever)? (?:in|inside|within)(?: (?:it|them|the body|its body|their body|their bodies))?\b",
        "empty",
    ),
    (
        r"\b(?:with|having|has|have) (?:a|an)? ?empty bod(?:y|ies)\b|\b(?:body|bodies) (?:is|are) empty\b"
        r"|\bwhose body is empty\b|\b(?:doing|do|does) nothing\b|\bwithout a? ?body\b",
        "empty",
    ),
    (
        r"\b(?:that |which )?(?:silently )?(?:swallow|swallows|swallowing|ignore|ignores|ignoring)(?: an?"
        r"| the)? (?=[A-Z])",
        "empty of ",
    ),
    # absence
    (
        r"\b(?:that |which )?(?:lacks?|lacking|miss(?:es)?|missing|omits?|omitting|sans|(?:is |are )?free of"
        r"|(?:is |are )?devoid of|(?:has|have|having) no|never has|never have)(?: an?| the| any)?"
        r"(?= [a-z]+)(?! (?:zero|arg|param|operand))",
        "without",
    ),
    (r"\bthat casts? (?=an? )", "casting "),
    # creation
    (r"\bnew(?:ing|s|ed)? up\b(?: of)?", "create"),
    (r"\bnewed\b", "created"),
    # casts, imports, exceptions
    (r"\bcast(?:ed|s)?(?: down| over| up)? (?:in)?to\b(?= [A-Za-z])", "cast to"),
    (r"\bimports? of (?:package )?((?:\w+\.)+(?-i:[a-z])\w*)(?![\w.*(])", r"imports of \1.*"),
    (r"\b(?:wildcard|star|on-demand) imports?\b", "imports named *.*"),
    (r"\bdown to\b", "to"),
    (
        r"\bimports?\b(?: of)?(?: anything| everything| stuff| classes| types| things| something)?"
        r" (?:under|from|in|within|below|out of) (?:the |package |the package )?((?:\w+\.)+(?-i:[a-z])\w*)(?!\.\*|\w)",
        r"imports of \1.*",
    ),
)
_COMPILED = [
    (re.compile(pattern, re.IGNORECASE), replacement) for pattern, replacement in (*CONSTRUCT_PHRASES, *_REWRITES)
]


_SPACE = re.compile(r"\s+")
_SHORT = 200  # all rules together take less than a millisecond for it
_MOST_GROWTH = 8  # times as long as the question: rewriting makes none so


def plain(question: str, check: Callable[[], None] = lambda: None) -> str:
    """The question in plainer words. Raises TooLargeError; `check` is called between the rules and may raise.

    No rule looks further than some hundred characters, and space stands alone: each is linear in the text.
    """
    parts, end = [], 0
    for kept in _KEPT.finditer(question):
        parts += [(question[end : kept.start()], False), (kept.group(), True)]
        end = kept.end()
    parts.append((question[end:], False))
    return "".join(text if is_kept else _rewritten(text, check) for text, is_kept in parts)


def _rewritten(text: str, check: Callable[[], None]) -> str:
    if not text.strip():
        return text[:1]
    text = _SPACE.sub(" ", text)
    most = _MOST_GROWTH * len(text) + 200
    check()
    for pattern, replacement in _COMPILED:
        if len(text) > _SHORT:
            check()
        text = pattern.sub(replacement, text)
        if len(text) > most:
            raise TooLargeError("structural_words_bytes", "the question says too much at once: shorten it")
    return text
