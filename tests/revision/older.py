"""The spec as it would have been before a revision came: its rules are not known yet.

Of a target, the later revisions and their wire schemas go, and what only they can do: a condition
that then holds everywhere or nowhere is decided, and what nothing leads to is left out.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
Plain = dict[str, Any]


class _Plain(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True


def older_spec(folder: Path, target: str, revision: str, without: tuple[str, ...] = ()) -> Path:
    """A copy of the spec in which ``revision`` is the newest of the target.

    ``without`` are targets that are not there at all.
    """
    shutil.copytree(ROOT / "spec", folder)
    for name in without:
        (folder / "targets" / f"{name}.yaml").unlink()
        shutil.rmtree(folder / "wire" / name)
    file = folder / "targets" / f"{target}.yaml"
    document = yaml.load(file.read_text(encoding="utf-8"), yaml.BaseLoader)
    known = list(document["revisions"])
    later = known[known.index(revision) + 1 :]
    for name in later:
        (folder / "wire" / target / f"{name}.yaml").unlink()
    file.write_text(dumped(cut(typed(file), later)), encoding="utf-8")
    return folder


def dumped(document: Plain) -> str:
    """YAML in block style, as people write it."""
    return yaml.dump(document, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110)


def typed(file: Path) -> Plain:
    """A YAML file as plain data, as the loader reads it."""
    from toolresult_generator.load.file import load_file

    root, findings = load_file(file, file.name)
    assert root is not None and not findings
    plain = root.to_plain()
    assert isinstance(plain, dict)
    return plain


def cut(document: Plain, later: list[str]) -> Plain:
    """A target document without some revisions, the last ones."""
    left = [name for name in document["revisions"] if name not in later]
    document["revisions"] = {name: document["revisions"][name] for name in left}
    decided: dict[str, bool] = {}
    has: dict[str, frozenset[str]] = {}
    for name, capability in list(document.get("capabilities", {}).items()):
        holds = _holds(capability, left, later)
        if len(holds) in (0, len(left)):
            decided[name] = bool(holds)
            del document["capabilities"][name]
        elif capability.get("until") in later:
            del capability["until"]
        has[name] = frozenset(holds)
    if not document.get("capabilities"):
        document.pop("capabilities", None)
    return _Cut(document, decided, has).done()


def _holds(capability: Plain, left: list[str], later: list[str]) -> list[str]:
    known = [*left, *later]
    if capability.get("never"):
        return []
    if "only" in capability:
        return [name for name in left if name in capability["only"]]
    first = known.index(capability.get("since", known[0]))
    last = known.index(capability.get("until", known[-1]))
    return [name for name in left if first <= known.index(name) <= last]


class _Cut:
    """Decides conditions until nothing more can be decided."""

    def __init__(
        self, document: Plain, capabilities: dict[str, bool], has: dict[str, frozenset[str]]
    ) -> None:
        self.document = document
        self.capabilities = capabilities
        self.has = has
        self.facts: dict[str, bool] = {}
        self.silent: set[str] = set()
        """Forms that write nothing."""

    def done(self) -> Plain:
        before: Any = None
        while before != repr(self.document):
            before = repr(self.document)
            self._facts()
            self._rules()
            self._forms()
        self._unreached()
        return self.document

    def _facts(self) -> None:
        for name, fact in list(self.document.get("facts", {}).items()):
            meaning = {key: value for key, value in fact.items() if key != "meaning"}
            found = self.condition(meaning)
            if isinstance(found, bool):
                self.facts[name] = found
                del self.document["facts"][name]
            else:
                self.document["facts"][name] = {"meaning": fact["meaning"], **found}
        if not self.document.get("facts"):
            self.document.pop("facts", None)

    def _rules(self) -> None:
        for key, rule in self.document.get("rules", {}).items():
            if isinstance(rule, list):
                left = self.taken(self.alternatives(rule))
                plain = len(left) == 1 and "when" not in left[0]
                self.document["rules"][key] = left[0] if plain else left

    def _forms(self) -> None:
        for name, form in list(self.document["forms"].items()):
            kept = self.node(form)
            if kept is None:
                self.silent.add(name)
                del self.document["forms"][name]
            else:
                self.document["forms"][name] = kept

    def _unreached(self) -> None:
        forms = self.document["forms"]
        reached: set[str] = set()
        waiting = [self.document["output"]["form"]]
        while waiting:
            name = waiting.pop()
            if name in reached or name not in forms:
                continue
            reached.add(name)
            waiting += _named(forms[name])
        self.document["forms"] = {name: form for name, form in forms.items() if name in reached}
        used = repr(self.document["forms"]) + repr(self.document.get("rules"))
        used += repr(self.document.get("facts"))
        for section, word in (("facts", "fact"), ("capabilities", "can")):
            known = self.document.get(section, {})
            kept = {
                name: one
                for name, one in known.items()
                if f"'{word}': '{name}'" in used or f"'{word}not': '{name}'" in used
            }
            if known:
                self.document[section] = kept

    def condition(self, when: Plain) -> bool | Plain:
        """The condition with what is decided left out; a boolean if all of it is."""
        [(word, value), *more] = when.items()
        if more:
            return when
        if word in ("can", "cannot") and value in self.capabilities:
            return self.capabilities[value] is (word == "can")
        if word == "fact" and value in self.facts:
            return self.facts[value]
        if word == "not":
            inner = self.condition(value)
            return (not inner) if isinstance(inner, bool) else {"not": inner}
        if word not in ("all", "any"):
            return when
        stops = word == "any"
        parts = [self.condition(one) for one in value]
        if stops in parts:
            return stops
        left = [one for one in parts if not isinstance(one, bool)]
        if not left:
            return not stops
        first = left[0]
        return first if len(left) == 1 else {word: left}

    def alternatives(self, entries: list[Any]) -> list[Any]:
        """Those that may apply, up to one that always does."""
        kept: list[Any] = []
        for entry in entries:
            made = self.node(entry)
            if made is None:
                continue
            if "when" in made and made["when"] in [one.get("when") for one in kept]:
                continue  # what it asked for beside this is decided
            kept.append(made)
            if "when" not in made:
                break
        return kept

    def taken(self, rules: list[Any]) -> list[Any]:
        """Alternatives that some revision takes, as far as capabilities alone decide it."""
        kept: list[Any] = []
        left = set(self.document["revisions"])
        for rule in rules:
            when = rule.get("when", {})
            holds = set(self.document["revisions"])
            if "can" in when:
                holds = set(self.has[when["can"]])
            elif "cannot" in when:
                holds -= self.has[when["cannot"]]
            if holds & left:
                kept.append(rule)
            if "can" in when or "cannot" in when:
                left -= holds
        return kept

    def node(self, node: Any) -> Any:
        """A node or rule with its conditions decided; None if it writes nothing any more."""
        if not isinstance(node, dict):
            return node
        made = dict(node)
        if "when" in made:
            found = self.condition(made["when"])
            if found is False:
                return None
            del made["when"]
            if found is not True:
                made = {"when": found, **made}
        if isinstance(made.get("form"), str) and made["form"] in self.silent:
            return None
        for key in ("object", "case"):
            if isinstance(made.get(key), dict):
                inner = {name: self.node(one) for name, one in made[key].items()}
                made[key] = {name: one for name, one in inner.items() if one is not None}
        if isinstance(made.get("json"), dict) and "form" not in made["json"].get("json", {}):
            made["json"] = self.node(made["json"])
        for key in ("list", "without", "spread"):
            if isinstance(made.get(key), list):
                inner_list = [self.node(one) for one in made[key]]
                made[key] = [one for one in inner_list if one is not None]
        if made.get("without") == []:
            return {"field": made["rest"]}
        if isinstance(made.get("choose"), list):
            made["choose"] = self.alternatives(made["choose"])
            if not made["choose"]:
                return None
            [first, *others] = made["choose"]
            if not others and "when" not in first:
                beside = {key: value for key, value in made.items() if key != "choose"}
                return {**beside, **first}
        return made


def _named(node: Any) -> list[str]:
    """The forms that a node leads to."""
    found: list[str] = []
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("form", "marker") and isinstance(value, str):
                found.append(value)
            elif key in ("include", "include_after"):
                found += value
            else:
                found += _named(value)
    elif isinstance(node, list):
        for one in node:
            found += _named(one)
    return found
