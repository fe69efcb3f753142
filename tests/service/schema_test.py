"""The service against its own OpenAPI schema: whatever schemathesis comes up with, the answers are as promised."""

import json

import httpx
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance


def test_answers_are_as_the_schema_says(address: str) -> None:
    whole = schemathesis.openapi.from_dict(httpx.get(address + "/openapi.json").json())
    for result in whole.get_all_operations():
        operation = result.ok()

        @settings(max_examples=15, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @schemathesis_given(operation)
        def check(case: schemathesis.Case) -> None:
            # No schema can say that entities lie in a text, at its tokens: such requests may be refused.
            has_entities = isinstance(case.body, dict) and '"entities": [' in json.dumps(case.body)
            case.call_and_validate(
                base_url=address, excluded_checks=[positive_data_acceptance] if has_entities else None
            )

        check()


def schemathesis_given(operation):
    """Cases of one operation, right and wrong ones."""
    from hypothesis import given

    return given(case=operation.as_strategy())
