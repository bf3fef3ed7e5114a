"""Faults made by rule: small changes of C sources that still compile, chosen evenly over functions by a seed.

The operators are those that mutation analysis settled on (Offutt and others, 1996: relations, arithmetic, logic, absolute
values and signs, constants; deletion of statements), and the mistakes that lanes invite: arguments of a select or a
subtraction exchanged, minimum for maximum, one mask for another, the wrong coordinate.

A change is a region of a file and what stands there instead. Nothing here compiles: see switch.py.
"""
import random
import re

TOKEN = re.compile(
    r"""(?P<space>\s+|\\\n|//[^\n]*|/\*.*?\*/)
      | (?P<string>L?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      | (?P<number>0[xX][0-9a-fA-F.]+(?:[pP][-+]?\d+)?[uUlLfF]*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[uUlLfF]*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]\#])
      | (?P<other>.)""", re.X | re.S)

RELATIONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
BINARY = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<",
          "&&": "||", "||": "&&"}
ASSIGNED = {"+=": "-=", "-=": "+=", "*=": "/=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<="}
CALLS = {"v_add": "v_sub", "v_sub": "v_add", "v_mul": "v_add", "v_div": "v_mul", "v_min": "v_max", "v_max": "v_min",
         "v_gt": "v_ge", "v_ge": "v_gt", "v_lt": "v_le", "v_le": "v_lt", "v_eq": "v_ge", "m_and": "m_or", "m_or": "m_and",
         "m_andnot": "m_and", "v_dot": "v_cross", "v_cross": "v_dot"}
UNWRAPPED = {"v_neg", "v_abs", "m_not", "v_sqrt", "fabs", "fabsf", "sqrt", "sqrtf"}
PAIRED = {"(": ")", "[": "]", "{": "}"}
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "else", "do", "case", "default", "break", "continue", "goto",
            "static", "const", "struct", "union", "enum", "typedef", "_Static_assert", "__asm__", "assert", "unsigned", "int"}
FIELD = {"x": "y", "y": "z", "z": "x"}


class Token:
    __slots__ = ("kind", "text", "start", "end", "mate")

    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end, self.mate = kind, text, start, start + len(text), None

    def __repr__(self):
        return self.text


class Change:
    """Text [start, end) of a file becomes `new`; as an expression, or as a whole statement."""
    __slots__ = ("file", "start", "end", "new", "old", "statement", "rule", "function", "line", "name", "define")

    def __init__(self, start, end, new, rule, statement=False):
        self.start, self.end, self.new, self.rule, self.statement = start, end, new, rule, statement
        self.file = self.old = self.function = self.name = None
        self.line, self.define = 0, False


def tokens_of(text):
    """Tokens without space, comments and preprocessor lines; brackets know their mates (by index)."""
    tokens, at, fresh = [], 0, True
    while at < len(text):
        found = TOKEN.match(text, at)
        if fresh and found.group() == "#":
            end = re.compile(r"(?:[^\n\\]|\\.|/\*.*?\*/)*", re.S).match(text, at).end()
            at = end
            continue
        kind = found.lastgroup
        if kind == "space":
            fresh = fresh or "\n" in found.group()
        else:
            fresh = False
            tokens.append(Token(kind, found.group(), at))
        at = found.end()
    stack = []
    for i, token in enumerate(tokens):
        if token.kind != "op":
            continue
        if token.text in PAIRED:
            stack.append(i)
        elif token.text in ")]}" and stack:
            tokens[i].mate, tokens[stack[-1]].mate = stack[-1], i
            stack.pop()
    return tokens


def functions_of(tokens):
    """(name, first token of the body, last) of each function that is defined at file scope."""
    found, i = [], 0
    while i < len(tokens):
        token = tokens[i]
        if token.text == "{" and token.mate is not None:
            before = tokens[i - 1] if i else None
            if before is not None and before.text == ")" and before.mate:
                name = tokens[before.mate - 1]
                if name.kind == "word":
                    found.append((name.text, i, token.mate))
            i = token.mate
        i += 1
    return found


def parts_of(tokens, first, last, separators=","):
    """[first, last) split at separators outside of brackets, as pairs of indices."""
    parts, start, i = [], first, first
    while i < last:
        if tokens[i].text in PAIRED and tokens[i].mate is not None:
            i = tokens[i].mate
        elif tokens[i].text in separators and tokens[i].kind == "op":
            parts.append((start, i))
            start = i + 1
        i += 1
    if start < last or parts:
        parts.append((start, last))
    return parts


class Finder:
    """All changes of one function body."""

    def __init__(self, text, tokens, name):
        self.text, self.tokens, self.name, self.changes = text, tokens, name, []

    def slice(self, first, last):
        return self.text[self.tokens[first].start:self.tokens[last - 1].end]

    def replaced(self, first, last, edits):
        """The text of tokens [first, last) with some tokens replaced: {index: text}."""
        at, out = self.tokens[first].start, []
        for i in sorted(edits):
            out += [self.text[at:self.tokens[i].start], edits[i]]
            at = self.tokens[i].end
        return "".join(out) + self.text[at:self.tokens[last - 1].end]

    def add(self, first, last, new, rule, statement=False):
        change = Change(self.tokens[first].start, self.tokens[last - 1].end, new, rule, statement)
        change.old = self.slice(first, last)
        change.function = self.name
        change.line = self.text.count("\n", 0, change.start) + 1
        if change.new != change.old:
            self.changes.append(change)

    # ---- expressions ----

    def expression(self, first, last):
        """Changes of tokens [first, last), an expression of its own."""
        tokens = self.tokens
        if first >= last or tokens[first].text == "{":
            if first < last:
                self.elements(first + 1, last - 1)
            return
        i = first
        while i < last:
            token = tokens[i]
            before = tokens[i - 1] if i > first else None
            if token.kind == "word" and token.text == "sizeof":
                i = tokens[i + 1].mate + 1 if i + 1 < last and tokens[i + 1].text == "(" else i + 2
                continue
            if token.kind == "word" and i + 1 < last and tokens[i + 1].text == "(" and tokens[i + 1].mate is not None and \
                    tokens[i + 1].mate < last:
                self.call(i)
                i = tokens[i + 1].mate + 1
                if i < last and tokens[i].text == "(" and tokens[i].mate is not None: # X(shuffle)(a, b, 0x44)
                    i = tokens[i].mate + 1
                continue
            if token.text in PAIRED and token.mate is not None:
                if token.text == "{":
                    self.elements(i + 1, token.mate)
                else:
                    for a, b in parts_of(tokens, i + 1, token.mate):
                        self.expression(a, b)
                i = token.mate + 1
                continue
            self.token(i, first, last, before)
            i += 1

    def elements(self, first, last):
        """Of an initialiser in braces: each for itself, behind its designator."""
        for a, b in parts_of(self.tokens, first, last):
            while a < b and self.tokens[a].text in (".", "["):
                equals = [k for k in range(a, b) if self.tokens[k].text == "="]
                a = equals[0] + 1 if equals else b
            self.expression(a, b)

    def token(self, i, first, last, before):
        token = self.tokens[i]
        operand = before is not None and (before.kind in ("word", "number") or before.text in (")", "]"))
        change = None
        if token.kind == "op" and operand and i + 1 < last and self.tokens[i + 1].text != ")":
            if token.text in RELATIONS:
                change = (RELATIONS[token.text], "relation")
            elif token.text in BINARY:
                change = (BINARY[token.text], "operator")
        elif token.text in "!~-" and token.kind == "op" and not operand:
            change = ("", "sign or negation left out")
        elif token.kind == "number":
            change = self.number(token.text)
        elif token.kind == "word" and before is not None and before.text in (".", "->") and token.text in FIELD:
            change = (FIELD[token.text], "coordinate")
        if change:
            self.add(first, last, self.replaced(first, last, {i: change[0]}), change[1])
        if token.text == "?" and token.kind == "op":
            colon = self.colon(i, last)
            if colon:
                yes, no = self.slice(i + 1, colon), self.slice(colon + 1, last)
                head = self.slice(first, i)
                self.add(first, last, f"{head} ? {no} : {yes}", "branches exchanged")

    def colon(self, i, last):
        depth, i = 0, i + 1
        while i < last:
            token = self.tokens[i]
            if token.text in PAIRED and token.mate is not None:
                i = token.mate
            elif token.text == "?":
                depth += 1
            elif token.text == ":":
                if not depth:
                    return i
                depth -= 1
            i += 1
        return None

    @staticmethod
    def number(text):
        if re.fullmatch(r"\d+[uUlL]*", text):
            digits = re.match(r"\d+", text).group()
            return str(int(digits) + 1) + text[len(digits):], "constant"
        if re.fullmatch(r"0[xX][0-9a-fA-F]+[uUlL]*", text):
            return f"({text} + 1)", "constant"
        return f"(2 * {text})", "constant"

    def call(self, i):
        """tokens[i] is the name of a function or macro."""
        tokens, name = self.tokens, self.tokens[i].text
        opening, closing = i + 1, tokens[i + 1].mate
        arguments = parts_of(tokens, opening + 1, closing)
        if name.startswith("__builtin") or name.startswith("_mm"):
            return # some of their arguments must be constants, which shows when code is made of them
        if name in KEYWORDS:
            for a, b in arguments:
                self.expression(a, b)
            return
        whole = (i, closing + 1)
        if name in CALLS:
            self.add(*whole, self.replaced(*whole, {i: CALLS[name]}), "lane operation")
        if name in UNWRAPPED and len(arguments) == 1:
            self.add(*whole, self.slice(*arguments[0]), "operation left out")
        texts = [self.slice(a, b) for a, b in arguments if b > a]
        if len(texts) >= 2 and name not in ("v_add", "v_mul", "v_eq", "m_and", "m_or"):
            for k in range(len(texts) - 1):
                if name == "v_sel" and k == 0:
                    continue
                swapped = texts[:k] + [texts[k + 1], texts[k]] + texts[k + 2:]
                self.add(*whole, f"{name}({', '.join(swapped)})", "arguments exchanged")
        for a, b in arguments:
            self.expression(a, b)

    # ---- statements ----

    def body(self, first, last):
        """Statements of tokens [first, last)."""
        tokens, i = self.tokens, first
        while i < last:
            token = tokens[i]
            if token.text == "{" and token.mate is not None:
                self.body(i + 1, token.mate)
                i = token.mate + 1
            elif token.text in ("if", "while", "switch") and tokens[i + 1].text == "(":
                closing = tokens[i + 1].mate
                if token.text != "switch":
                    self.add(i + 2, closing, f"!({self.slice(i + 2, closing)})", "condition negated")
                self.expression(i + 2, closing)
                i = closing + 1
            elif token.text == "for" and tokens[i + 1].text == "(":
                closing = tokens[i + 1].mate
                parts = parts_of(tokens, i + 2, closing, ";")
                self.initialisers(*parts[0])
                if len(parts) > 1:
                    self.expression(*parts[1])
                i = closing + 1
            elif token.text in ("else", "do", ";") or token.text == "}":
                i += 1
            else:
                end = self.end_of(i, last)
                if tokens[end].text == ":":
                    i = end + 1 # a label
                    continue
                self.statement(i, end)
                i = end + 1

    def end_of(self, i, last):
        start, asked = i, 0
        while i < last and tokens_differ(self.tokens[i], ";"):
            if self.tokens[i].text in PAIRED and self.tokens[i].mate is not None:
                i = self.tokens[i].mate
            elif self.tokens[i].text == "?":
                asked += 1
            elif self.tokens[i].text == ":":
                if not asked and (i == start + 1 or self.tokens[start].text in ("case", "default")):
                    return i
                asked -= 1
            i += 1
        return min(i, last - 1)

    def statement(self, first, end):
        """tokens[end] is the semicolon."""
        tokens, head = self.tokens, self.tokens[first]
        if head.text == "return":
            self.expression(first + 1, end)
            return
        if head.text in ("break", "continue"):
            self.add(first, end + 1, ";", "statement dropped", True)
            return
        if head.text in ("static", "_Static_assert", "typedef", "__asm__", "goto", "assert", "extern"):
            return
        if head.text == "const" or (head.kind == "word" and end > first + 1 and
                                    (tokens[first + 1].kind == "word" or tokens[first + 1].text == "*")):
            self.initialisers(first, end)
            return
        assigned = None
        i = first
        while i < end and assigned is None:
            if tokens[i].text in PAIRED and tokens[i].mate is not None:
                if tokens[i].text == "[":
                    self.expression(i + 1, tokens[i].mate)
                if not (tokens[i].text == "(" and i > first and tokens[i - 1].kind == "word"):
                    i = tokens[i].mate
                    continue
                i = tokens[i].mate
            elif tokens[i].text == "=" or tokens[i].text in ASSIGNED or tokens[i].text in ("^=", "/=", "%="):
                assigned = i
            i += 1
        self.add(first, end + 1, ";", "statement dropped", True)
        if assigned is None:
            self.expression(first, end)
            return
        if tokens[assigned].text in ASSIGNED:
            self.add(first, end + 1, self.replaced(first, end + 1, {assigned: ASSIGNED[tokens[assigned].text]}),
                     "assignment", True)
        self.expression(assigned + 1, end)

    def initialisers(self, first, last):
        for a, b in parts_of(self.tokens, first, last):
            equals = None
            i = a
            while i < b and equals is None:
                if self.tokens[i].text in PAIRED and self.tokens[i].mate is not None:
                    i = self.tokens[i].mate
                elif self.tokens[i].text == "=":
                    equals = i
                i += 1
            if equals is not None:
                self.expression(equals + 1, b)


def tokens_differ(token, text):
    return token.kind != "op" or token.text != text


def changes_of(text, file):
    """Every change of every function of a file, as lists by function in order of the file."""
    tokens = tokens_of(text)
    result = []
    for name, first, last in functions_of(tokens):
        finder = Finder(text, tokens, name)
        finder.body(first + 1, last)
        for change in finder.changes:
            change.file = file
        result.append((name, finder.changes))
    return result


def choose(by_file, count, seed):
    """`count` changes, one of each function before two of any, functions in an order that the seed gives; which change of a
    function is chance, but for its rule: those that are rare there come as often as those that are not."""
    rng = random.Random(seed)
    queues = []
    for file in sorted(by_file):
        for name, changes in by_file[file]:
            rules = {}
            for change in changes:
                rules.setdefault(change.rule, []).append(change)
            order, lists = [], list(rules.values())
            for group in lists:
                rng.shuffle(group)
            while any(lists):
                rng.shuffle(lists)
                order += [group.pop() for group in lists if group]
            if order:
                queues.append(order)
    rng.shuffle(queues)
    chosen, depth = [], 0
    while len(chosen) < count and any(len(queue) > depth for queue in queues):
        for queue in queues:
            if len(queue) > depth and len(chosen) < count:
                chosen.append(queue[depth])
        depth += 1
    return chosen
