"""An agent of Pydantic AI over AG-UI, with a model that says what its user wants to hear: `uvicorn server:app`."""

from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import UserPromptPart
from pydantic_ai.models.function import DeltaThinkingPart, DeltaToolCall, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

LONG = [f"Sentence {at} of the river 🌊. " for at in range(12)]
CALLS = {
    "look up": ("search", '{"q": "rivers"}'),
    "ask": ("send_email", '{"to": "ann@example.com"}'),
    "where": ("get_location", '{"precise": true}'),
}
seen = {"posts": 0, "calls": 0, "mails": []}


def scenario_of(messages):
    said = [part.content for message in messages for part in message.parts if isinstance(part, UserPromptPart)]
    return said[-1] if isinstance(said[-1], str) else "".join(each for each in said[-1] if isinstance(each, str))


async def answer(messages, info):
    scenario = scenario_of(messages)
    results = [part for part in messages[-1].parts if part.part_kind in ("tool-return", "retry-prompt")]
    if results:
        yield "So: "
        yield results[-1].model_response_str() if results[-1].part_kind == "tool-return" else str(results[-1].content)
        return
    if scenario in CALLS:
        name, arguments = CALLS[scenario]
        seen["calls"] += 1
        yield {0: DeltaToolCall(name=name, json_args=arguments[:5], tool_call_id=f"call-{seen['calls']}")}
        yield {0: DeltaToolCall(json_args=arguments[5:])}
        return
    if scenario == "think":
        yield {0: DeltaThinkingPart(content="Bends ")}
        yield {0: DeltaThinkingPart(content="wander.")}
    for words in LONG if scenario == "long" else ["Rivers ", "meander."]:
        yield words
        if scenario == "fail":
            raise RuntimeError("sk-canary: overloaded")


agent = Agent(FunctionModel(stream_function=answer), output_type=[str, DeferredToolRequests])


@agent.tool_plain
def search(q: str) -> str:
    return f"3 hits for {q}"


@agent.tool_plain(requires_approval=True)
def send_email(to: str) -> str:
    seen["mails"].append(to)
    return f"sent to {to}"


async def run(request):
    seen["posts"] += 1
    return await AGUIAdapter.dispatch_request(request, agent=agent)


async def tell(_request):
    return JSONResponse({"posts": seen["posts"], "mails": seen["mails"]})


app = Starlette(routes=[Route("/agent", run, methods=["POST"]), Route("/seen", tell)])
