//! The schemas of the types in the generated document.

use crate::conversation::ConversationDetailResponse;
use crate::inquiry::{InquiryResponse, InquiryStatus, NewInquiryParams};
use crate::list::ListResponse;
use crate::problem::ProblemResponse;
use utoipa::PartialSchema as _;

#[test]
fn schemas_have_the_wire_names() {
    let status = serde_json::to_value(InquiryStatus::schema()).unwrap();
    assert_eq!(status["examples"][0], "pending");
    assert!(status["enum"].is_null(), "newer versions may have others");

    let inquiry = serde_json::to_value(InquiryResponse::schema()).unwrap();
    for field in [
        "id",
        "conversation_id",
        "status",
        "revision",
        "dialect",
        "questions",
    ] {
        assert!(inquiry["properties"][field].is_object(), "{field}");
    }
    let problem = serde_json::to_value(ProblemResponse::schema()).unwrap();
    assert!(problem["properties"]["type"].is_object());

    let list = serde_json::to_value(ListResponse::<InquiryResponse>::schema()).unwrap();
    assert_eq!(list["properties"]["items"]["type"], "array");

    let params = serde_json::to_value(NewInquiryParams::schema()).unwrap();
    for either in ["questions", "input"] {
        assert!(params["properties"][either].is_object(), "{either}");
    }

    let detail = serde_json::to_value(ConversationDetailResponse::schema()).unwrap();
    assert!(detail.to_string().contains("messages"));
}
