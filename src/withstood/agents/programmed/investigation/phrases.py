"""What programmed investigators say, in English and Korean. Nothing that was read is among it but names and places."""

from __future__ import annotations

from collections.abc import Mapping

_PHRASES: Mapping[str, tuple[str, str]] = {
    "finding": ("{place}: {cause}. {because}", "{place}: {cause}. {because}"),
    "origin": ("What was raised comes from here: {says}", "발생한 예외가 여기에서 비롯된다"),
    "fault": ("In the code: {says}", "코드에 그대로 드러난다"),
    "change": ("Commit {commit}: {says}", "커밋 {commit}에서 바뀌었다"),
    "fed": ("It feeds the line where it failed or was told of", "실패하거나 기록된 줄로 이어진다"),
    "unit": ("It is in the same function as a line on the way to the failure", "실패로 이어지는 줄과 같은 함수에 있다"),
    "file": ("It is in the same file as a line on the way to the failure", "실패로 이어지는 줄과 같은 파일에 있다"),
    "question": ("It has words of the question", "질문의 낱말이 나온다"),
    "message": ("It has words of the message", "메시지의 낱말이 나온다"),
    "named": ("{says}", "메시지나 질문에 나온 이름이 바뀌었다"),
    "blame": ("Commit {commit} wrote it as it stands", "커밋 {commit}에서 쓰인 줄이다"),
    "timing": ("It was first seen soon after", "변경 직후에 처음 나타났다"),
    "fits": ("It fits what was asked or seen", "질문이나 관찰된 증상과 맞는다"),
    "nothing": ("Nothing found that the question could be about", "질문과 관련된 원인을 찾지 못함"),
    "found": ("{count} found; first: {place}, {cause}", "{count}건 발견, 첫째: {place}, {cause}"),
    "alternative": ("{place}: {cause}", "{place}: {cause}"),
    "no other": ("Something that no source shows: a machine, a network, data", "자료에 드러나지 않는 원인: 장비, 네트워크, 데이터"),
    "not logs": ("Logs: none were given", "로그: 주어지지 않음"),
    "not history": ("History: there is none", "이력: 없음"),
    "not files": ("Files of the repository: there are none", "저장소 파일: 없음"),
    "not running": ("Nothing was run: only what is written was read", "아무것도 실행하지 않고 적힌 것만 읽음"),
    "not tests": ("Tests and documents as causes", "원인으로서의 테스트와 문서"),
    "not cold": ("Files that share no word with the question and no line with a failure", "질문이나 실패와 닿지 않는 파일"),
    "no grammar": ("Functions of {spoken} were found by their braces alone: install withstood[code]", "{spoken} 함수는 괄호만으로 찾음: withstood[code] 설치 필요"),
    "considered": ("Considered", "검토한 곳"),
    "seen": ("Seen in the logs", "로그에서 본 것"),
    "times": ("{count} times", "{count}회"),
    "stays": ("Looked again: it stays with {place}", "다시 확인: {place} 유지"),
    "yields": ("Looked again: {place} is more likely", "다시 확인: {place} 쪽이 더 유력함"),
    "crossed": ("Cross-checked: found here too", "교차 확인: 같은 결론"),
    "not crossed": ("Cross-checked: nothing of its own speaks for it", "교차 확인: 뒷받침할 근거를 찾지 못함"),
    "challenge gone": ("Does the cited line still stand?", "인용한 줄이 지금도 있는가?"),
    "challenge test": ("Is the file one that runs, or is it a test, a document, a copy?", "실제로 실행되는 파일인가, 테스트나 문서나 사본인가?"),
    "challenge early": ("Was it seen before the change was made?", "변경 이전에도 나타났는가?"),
    "challenge guard": ("Is there a guard or a handler beside it?", "바로 옆에 검사나 처리 구문이 있는가?"),
    "challenge other": ("Does another line say the same, or explain it better?", "다른 줄이 같은 말을 하거나 더 잘 설명하는가?"),
    "challenge recovered": ("Did it go well again by itself right after?", "직후에 저절로 정상으로 돌아왔는가?"),
    "challenge dead": ("Is it ever called?", "호출되는 코드인가?"),
    "upheld": ("Tried and not refuted", "반박을 시도했으나 유지됨"),
    "weakened": ("It may be less than it seems", "보이는 것보다 약할 수 있음"),
    "refuted": ("It cannot be the cause", "원인일 수 없음"),
    "episode": ("{place}: {cause}. {count} times: {said}", "{place}: {cause}. {count}회: {said}"),
    "episode onset": ("It was not seen in the logs before", "이전 로그에는 없었다"),
    "episode burst": ("Most of it came at once", "짧은 시간에 몰렸다"),
    "episode before": ("Right before it, {place}: {said}", "바로 앞에 {place}: {said}"),
    "episode along": ("With it comes, {count} times: {said}", "함께 나타남, {count}회: {said}"),
    "section": ("{path} has no section on {section}", "{path}에 {section} 절이 없음"),
    "open": ("{path}:{line} is not filled in", "{path}:{line} 미작성"),
    "not done": ("{path}:{line} is not ticked off", "{path}:{line} 완료 표시 없음"),
    "mismatch": ("{path} does not name what was changed: {what}", "{path}에 바뀐 내용이 없음: {what}"),
    "no rollback": ("{path} cannot be taken back", "{path}: 되돌릴 수 없음"),
    "no check": ("{path} has no {what}", "{path}: {what} 없음"),
    "no document": ("There is no document on {section}", "{section} 문서가 없음"),
}  # fmt: skip


def phrase(name: str, language: str, **blanks: object) -> str:
    english, korean = _PHRASES[name]
    return (korean if language == "ko" else english).format(**blanks)
