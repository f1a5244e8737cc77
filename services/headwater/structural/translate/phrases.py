"""Turns of phrase about single constructs and relations, reworded before the general ones of `wording`."""

import re
from collections.abc import Callable

Replacement = str | Callable[[re.Match[str]], str]
_TYPE = r"(?-i:[A-Z])\w*"
_ENDS = r"(?=\s*(?:$|[,;.?)]|\b(?:and|but|or|in|inside|within|under|that|which|outside)\b))"
_VALUE = r"(?:null|true|false|-?\d+|\"[^\"]*\"|'[^']*')"
_WRITTEN = {"zero": "0", "one": "1", "two": "2", "three": "3", "ten": "10", "minus one": "-1", "negative one": "-1"}
_NUMBER = rf"({'|'.join(_WRITTEN)})"
_SIDE = {"left": "first", "right": "second"}
_DONE = {"thrown": "throw", "returned": "return", "assigned": "assignment", "called": "call"}
_ORDINAL = r"\d(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth"
_ARGUMENTS = r"(?:args?|arguments?|params?|parameters?|operands?)"
_MODIFIER = r"(?:static|final|public|private|protected|abstract|synchronized|transient|volatile|native)"
_NOUN = (
    r"(?:catch|try|if|loop|method|function|class|block|body|for|while|switch|case|call|statement|lambda|finally"
    r"|clause)(?: block| clause| loop| statement)?"
)
_BODY = r"(?:loop|for|foreach|while|if|try|catch|switch|lambda|method|class|finally|else)"

CONSTRUCT_PHRASES: tuple[tuple[str, Replacement], ...] = (
    (rf"\b({_TYPE})<[\w\s,<>?.\[\]]*>", r"\1"),
    # what says nothing
    (r"\bsync(?:ed|hed)?\b", "synchronized"),
    (
        r"\b(?:code|lines?|places?|spots?|statements?|anybody|anyone|somebody|someone)(?: of code)?"
        r" (?:that |which )?(?:calls?|calling|invokes?|invoking)\b",
        "calls to",
    ),
    (rf"\b(?:passed|given|handed)(?: in| along)? (?=as (?:an? |the |its )?(?:{_ORDINAL}) {_ARGUMENTS})", ""),
    (r"\bdirectly\b", ""),
    (r"\b(?:accesses|references|refs) (?:to|of) (?=(?-i:[A-Z_]{3,}\b))", ""),
    (
        r",? ?\b(?:but )?only (?:when|if|where|those|the ones)(?: that| which)?"
        r" ?(?:(?:it|they|that|this|these)(?:'s| is| are))?"
        r" ?(?=(?:not )?(?:in|inside|within|under|outside)\b)",
        " ",
    ),
    (r",? ?\b(?:but )?only (?:those|the ones)(?: that| which)? ", " that "),
    (r"\b(?:inside|within) (?:of )?the body of\b", "in the body of"),
    (r"(?<!\w)w(?= [a-z\d\"])(?<!variable w)(?<!named w)(?<!to w)(?<!of w)", "with"),
    (r"\b(?:in|inside|within) (?:'em|em|there)\b", "in it"),
    (rf"\b(?:in|inside|within) (?:that|this|said) {_NOUN}\b", ""),
    (r"\bfrom (?=within|inside)", ""),
    (r"\bunder (?:the )?control of\b", "controlled by"),
    (r"\b(?:might|may|could|can|should|must|would) (?=\w)", ""),
    (r"\bcalls? (?:that (?:are|is) )?(?:made|done|performed|issued) (?=on|to|by|in|from)", "calls "),
    (
        r"\b(?:used|passed in|serving|acting|appearing|occurring) "
        r"(?=as (?:an? |the |its |one )?(?:\w+ )?(?:arg|operand|param))",
        "",
    ),
    # numbers, values and sides
    (
        rf"(\b(?:is|are|being|equals?|passing|by|to|with|against)|[=<>]) {_NUMBER}"
        r"(?=\s*(?:$|[,;.?)]|\b(?:and|but|or|as|in|inside|within|on|at)\b))",
        lambda m: f"{m.group(1)} {_WRITTEN[m.group(2).lower()]}",
    ),
    (rf"\b(?:the |a )?(?:string|number|int|integer|text|literal value) (?={_VALUE}|$)", "literal "),
    (r"\bliteral (strings?|numbers?|ints?|integers?|chars?)\b", r"\1 literal"),
    (
        r"\b(left|right)(?:[- ]?hand)?(?:[- ]?side)? (operand|argument|arg)s?\b",
        lambda m: f"{_SIDE[m.group(1).lower()]} {m.group(2)}",
    ),
    (
        r"\bwith (.{1,200}?) (?:on|at) (?:the |its )?(left|right)(?:[- ]?hand)?(?:[- ]?side)?\b",
        lambda m: f"with {m.group(1)} as the {_SIDE[m.group(2).lower()]} operand",
    ),
    (
        rf"\b(with|has|have|having|taking|takes?) (?:an?|some) (?:args?|arguments?|params?|parameters?){_ENDS}",
        r"\1 at least one argument",
    ),
    (rf"\b(with) (args|arguments|params|parameters){_ENDS}", r"\1 at least one argument"),
    (rf"\b(\w+) {_ARGUMENTS} or (?:more|above|up)\b", r"at least \1 arguments"),
    (rf"\b(\w+) {_ARGUMENTS} or (?:fewer|less)\b", r"at most \1 arguments"),
    (
        r"\b(?:where|when|in which|to which) (?:we |you |they )?(?:an? |the )?([^,;]{1,200}?) (?:is|are|gets?|being)"
        rf" (?:passed|given|handed|supplied)(?: in| along| to (?:it|them))?{_ENDS}",
        r"with \1 as an argument",
    ),
    (
        rf"\bas (?:the )?({_ORDINAL}) and (.{{1,200}}?) as (?=(?:the )?(?:{_ORDINAL}) {_ARGUMENTS})",
        r"as the \1 argument and \2 as ",
    ),
    (rf"\band (?:the |its )?({_ORDINAL})(?: one)? (is|being|=)\b", r"and the \1 argument \2"),
    (
        r"\b(?:on|at) (?:the )?(left|right)(?:[- ]?hand)?(?: side)? of (?=(?:an? )?[=!<>+*/%&|-])",
        lambda m: f"as the {_SIDE[m[1].lower()]} operand of ",
    ),
    (
        r"(?:^|(?<=all )|(?<=the ))(number|string)s(?= (?:as|passed|in|inside|used|given|returned)\b)",
        r"\1 literals",
    ),
    # negation
    (
        r"\bwithout (?:an? |any |the )?((?:null |instanceof |type )?(?:check|test|comparison)|instanceof)"
        r" (?:around|before)\b",
        r"not guarded by a \1",
    ),
    (r"\b(?:that |which )?contain(?:s|ing)? no (?!arg|param|operand)", "without "),
    (
        r"\b(?:with|having|has|have|contains?|containing) (?:0|zero)"
        r" (?!arg|param|operand|(?:\w+ )?(?:as|in)\b|literal)(?=[a-z])",
        "without ",
    ),
    (
        r"\b(that|never|not|which) (?:calls?|invokes?) (?:anything|something|any methods?|a method|methods)\b",
        r"\1 containing a call",
    ),
    (
        r"\b(?:(?:with|has|have|having|contain\w*) neither|neither (?:has|have|having|contain\w*)) (?:an?"
        r" )?(\w+(?: \w+)?) nor (?:an? )?(\w+(?: \w+)?)"
        rf"{_ENDS}",
        r"without a \1 and without a \2",
    ),
    (
        r"\b(?:(?:but|and|where) )?nothing (?:is|gets|is being|ever gets) (thrown|returned|assigned|called)\b",
        lambda m: f"without a {_DONE[m[1].lower()]}",
    ),
    # catch clauses
    (
        rf"\bcatch ?\((?:final )?({_TYPE}(?:\s*\|\s*{_TYPE})*)(?: \w+)?\)",
        lambda m: "catch clauses of " + " or ".join(re.split(r"\s*\|\s*", m.group(1))),
    ),
    (rf"^catching (?:an? |of )?(?={_TYPE})", "catch clauses of "),
    (rf"\b(?:exception )?handlers (?:of|for) (?:an? )?(?={_TYPE})", "catch clauses of "),
    (rf"\bwhere (?:is|are|do we|does it) (?:an? )?({_TYPE}) (?:being |gets? )?caught\b", r"catch clauses of \1"),
    (rf"\bwhere (?:do|does) (?:we|it|one|they) catch (?:an? )?(?={_TYPE})", "catch clauses of "),
    (rf"\b({_TYPE}) (?:that |which )?(?:is |are |gets? |being )*caught\b", r"catch clauses of \1"),
    (
        r"\b(?:swallow|eat|ignor)(?:s|e|es|ed|ing)? (?:all |any |the |an? )?(?:exceptions?|errors?)\b",
        "empty catch blocks",
    ),
    (r"\bcatch(?:es)?( blocks?| clauses?)? (?:that |which )?(?:silently )?empty catch blocks", "empty catch blocks"),
    (
        r"\bexceptions? (?:that |which )?(?:is |are |gets? )?(?:caught and )?(?:silently"
        r" )?(?:ignored|swallowed|eaten)\b",
        "empty catch blocks",
    ),
    (rf"\b(catch clauses of {_TYPE}) and (?:silently |then )?(?:ignored|swallowed)\b", r"empty \1"),
    (
        rf"\b(?:code|places|spots|someone|somebody|everything|anything) (?:that|who|where (?:we|it)) catch(?:es)?"
        rf" (?:an? )?(?={_TYPE})",
        "catch clauses of ",
    ),
    # returns and throws
    (r"\b(throw(?:s|ing|n)?) (?:an? |any |some |the )?(?:exceptions?|errors?)\b", r"\1"),
    (
        r"\bexceptions? (?:that (?:are|is) )?(?:being )?(?:created|instantiated|built|constructed)\b",
        "object creations named *Exception",
    ),
    (r"\brethrown exceptions?\b", "throw"),
    (rf"\breturned (?:from|by|in) (?:an? |the |some |any )?(?:methods?|functions?){_ENDS}", "returned"),
    (r"\breturned (casts?|ternar(?:y|ies)|lambdas?|literals?|calls?|strings?)\b", r"\1 that are returned"),
    (
        r"\b(that|which|who) (throw|return|break|continue)s?(?=\s*(?:$|[,;.?)]|\b(?:inside|within)\b))",
        r"containing a \2 statement",
    ),
    (r"\bwhat (?:does|do|can|is) (\w+) throw(?:s|n)?\b", r"throws in \1"),
    (r"\bdeclared to return\b|\b(?:whose|with an?|with the) return type(?: is| of)?\b", "returning"),
    # tests and conditions
    (r"\b(?:checked|tested|compared) (?:for|against|with|to) null\b", "compared with null"),
    (r"([=!<>]=|<|>) (?:comparisons?|checks?|tests?|operators?) (?:with|to|against|for)\b", r"\1 with"),
    (
        r"(?<!in )(?<!in an )(?<!in a )(?<!in the )\b(if|while|for|loop)(?: loop)? (?:conditions?|conds?|tests?)"
        r" (?:(?:that |which )?(?:contain|call|us|involv|hav)"
        rf"(?:e|es|s|ing)?|with) (.{{1,200}}?)(?: in (?:it|them))?{_ENDS}",
        lambda m: f"{m[1]}{' loop' if m[1].lower() == 'for' else ''} with {m[2]} in the condition",
    ),
    (r"\b(?:inside|within) (?=conditions|a condition)", "in "),
    (
        rf"\bbetween two (\w+(?: literal| call| check)?)s{_ENDS}",
        r"with a \1 as the first operand and with a \1 as the second operand",
    ),
    (
        r"(\w\(\)) (minus|plus) (\w+)\b",
        lambda m: f"{m[1]} {'-' if m[2].lower() == 'minus' else '+'} {_WRITTEN.get(m[3].lower(), m[3])}",
    ),
    (r"!\s?\(\w+ instanceof ([\w.]+)\)", r"negated instanceof \1"),
    (
        r"\b(?:where|whose|with) (?:the |its |their )?(?:condition|cond|test|guard|header)s?"
        r" (?:calls?|invokes?|does|has|have"
        r"|includes?|uses?|contains?|is|are|involves?|checks?|tests?)(?: (?:just|only|simply))?\b",
        "whose condition contain",
    ),
    (r"\b(?:checks?|checking|tests?|testing) (?:if|whether) \w+ (?:is|equals?|==) null\b", "checking for null"),
    (r"\b(?:checks?|checking|tests?|testing) (?:if|whether) \w+ (?:is not|isn't|!=) null\b", "checking != null"),
    (r"^(?:(?:find|all|the|every|show) )*fors? (?=with|that|which|containing|having|inside)", "for loops "),
    (
        r"\b(?:checks?|checking|tests?|testing|asks?|asking) (?:whether|if|that) \w+ (?:is|are)"
        rf" (?:an? )?(?:instances? of )?(?:an? )?(?={_TYPE})",
        "instanceof ",
    ),
    (rf"\b[a-z]\w* instanceof (?={_TYPE})", "instanceof "),
    (r"\b(type|instance|instanceof) (checks?|tests?) against\b", r"\1 \2 for"),
    (r"\bonly (?:when|if)\b", "controlled by an if with condition"),
    (r"\b(?:un|not )(?:wrapped|surrounded) (?:by|in)\b", "not inside"),
    (r"\bun(guarded|protected) by\b", r"not \1 by"),
    (r"\bused as (?:the |a )?condition (?:of|in|for)\b", "in the condition of"),
    (r"\bas (?:the |a |its )?condition (?:of|in|for) (?=an?\b|the\b)", "in the condition of "),
    # ternaries
    (
        r"\b(ternar(?:y|ies)(?: \w*?(?:expression|operator)s?)?|conditional (?:expression|operator)s?) (?:that"
        r" |which )?"
        r"(?:returns?|returning|yields?|yielding|evaluat\w+ to|gives?|giving|result(?:s|ing)? in|producing)\b",
        r"\1 with",
    ),
    (
        r"\b(?:as|in|on) (?:one|either|any) of (?:its|the|their) (?:branches|arms|sides|results)\b|\b(?:as|in|on)"
        r" (?:an?|one|either|the)(?: of its)? (?:branch|arm)(?: of it)?\b",
        "as an argument",
    ),
    # casts
    (r"\b(casts?) (?:from|on|applied to|done on)\b", r"\1 of"),
    # assignments
    (
        rf"\b(?:variables?|fields?|something|anything|things?)? ?\b(?:that |which )?(?:is |are |gets? |being )?"
        rf"(?:set|assigned|reset|initiali[sz]ed) to (?={_VALUE})",
        " assignments of ",
    ),
    (
        rf"\b(?:re)?set(?:s|ting)? (?:something|anything|a variable|an? field|variables|fields|things?|stuff) to"
        rf" (?={_VALUE})",
        "assignments of ",
    ),
    (rf"\b(?:re)?set(?:s|ting)? (\w+) to ({_VALUE})", r"assignments of \2 to \1"),
    (r"\bassignments? (?=from (?!within|inside|in\b))from\b", "assignments of"),
    # arrays and fields
    (r"\b(?:reads?|accesses|lookups?) (?:of|in|into|from|on) (?:an? |the )?arrays?(?: elements?)?\b", "array accesses"),
    (r"\b(?:index|element) (?:lookups?|accesses)\b", "array accesses"),
    (r"\bat (?:index|position) (\w+)", r"with \1 as argument"),
    (r"(?<!\S)\.([a-z]\w*)\b(?!\(|\s+(?:is |gets? )?(?:called|invoked|calls?))", r"field \1"),
    (r"\bfields? (?:that (?:is|are) )?(?:read|accessed|touched)\b", "field accesses"),
    (r"\bassert that\b", "assert"),
    # names and modifiers
    (
        r"(?<!annotated )(?<!marked )(?<!tagged )\b(?:with|having|has|have) (?:an? |the )?(@\w+)(?: annotations?)?",
        r"annotated with \1",
    ),
    (r"(@\w+)(?: annotations?)? on (\w+)", r"\2 annotated with \1"),
    (rf"\b({_TYPE})[- ](implementing|extending) (class(?:es)?)\b", r"\3 \2 \1"),
    (rf",? ?(?:but )?(?:only )?(?:the )?\b(non-)?({_MODIFIER}) ones(?: only)?\b", r" that are \1\2"),
    (rf"\b(?:that are )?(?:marked|declared|flagged)(?: as| with)? (?={_MODIFIER}\b)", "that are "),
    (rf"\bnon[- ]?(?={_MODIFIER}\b)", "non "),
    (rf"\b({_MODIFIER})(?:,| and|, and) (?={_MODIFIER}\b)", r"\1 "),
    (r"(?<!@)\bdeprecated (?=method|class|function|interface|constructor|field)", "@Deprecated "),
    (r"\b(?:overrid(?:den|ing)|overriden) (?=(?:\w+ )?(?:method|function))", "@Override "),
    (r"\binner (class(?:es)?)\b", r"nested \1"),
    (
        r"\b(take|takes|taking|accepts?|accepting|with|having|has|have) (?:an?"
        r" )?(int|long|short|byte|char|float|double|boolean|string)"
        rf"{_ENDS}",
        r"\1 a \2 parameter",
    ),
    (rf"\b(?:who|what|which) (implements|extends) (?={_TYPE})", r"classes \1 "),
    # what is done with a thing
    (
        r"\b(?:(?:getting|get|gets|having|have|has|with) \.?(\w+)(?:\(\))? (?:called|invoked)"
        r"|(?:on which|that|which) \.?(\w+)(?:\(\))? is (?:called|invoked)) ?(?:on (?:it|them))?\b",
        lambda m: f"that are the receiver of a {m.group(1) or m.group(2)} call",
    ),
    (r"\bchained (?:onto|on|to|after)\b", "called on"),
    (
        r"\b(passed|given|handed|supplied|argument|arg) (?:in)?(?:to|of) (?:an? |the |some"
        r" )?(?:constructors?|ctors?)\b(?! call)",
        r"\1 to a constructor call",
    ),
    (r"\bunused (\w+)", r"\1 not used by an expression"),
    (r"\b(?:never|not) (?:gets?|been|ever) used\b", "never used"),
    (r"\b(?:built|constructed|created|instantiated) (?:from|out of|using)\b", "using"),
    (r"\b(called|invoked) on (?:an? |the )?(?:constructor|ctor)s?\b(?! call)", r"\1 on a constructor call"),
    (r"\b(?:newly|freshly|just) (?:created|constructed|made|allocated|instantiated|built) (?=object|instance)", "new "),
    (r"\b(?:calls? (?:to|of) (get|set)ters?|(get|set)ters? calls?)\b", lambda m: f"calls to {m[1] or m[2]}*"),
    (r"\b(get|set)ters?(?: methods?)?\b(?! call)", r"methods named \1*"),
    (r"\bconcatenated strings?\b", "concatenation"),
    (r"\b(?:an?|any|some) string(?= (?:as|in|for)\b)", "a string literal"),
    (
        r"\b(for|for-?each|while|do) (or|and) (for|for-?each|while|do) (?=loop)",
        r"\1 loops \2 \3 ",
    ),
    (r"^overrid(?:es|ing|den)(?: of)? (?=\w+)", "@Override methods named "),
    (r"\b(\w+) overrides$", r"@Override methods named \1"),
    # bodies and everything
    (
        r"\b(if|while|for|loop|catch|try|method|lambda) bod(?:y|ies) (?:has|have|contains?|with|having)\b",
        r"\1 containing",
    ),
    (
        r"\b(with|without|has|have|having|no)( an?| any)? else[- ](?:branch(?:es)?|blocks?|clauses?|parts?|cases?)\b",
        r"\1 else",
    ),
    (r"^(?:things?|stuff|whatever|what|values?)(?: that)?(?: is| are| gets?)? (?=passed|given|handed)", "expressions "),
    (r"\bempty (\w+) (?:bodies|body)\b", r"empty \1 blocks"),
    (r"\b(lambda|loop|method|if|catch|try) (?:bodies|body)\b(?! of)", r"\1"),
    (r"^(?:everything|anything|all code|all the code)(?: that is)? (?=inside|in |within|under)", "constructs "),
    (rf"\bwithout (?:an? |the |any )?(surrounding |enclosing |guarding )(?={_BODY})", "not inside a "),
)
