use askback_core::draft::Draft;
use askback_core::id::InquiryId;

use super::{Button, PersonCode, Press, RangeDay};
use crate::contract::button::DraftCode;
use crate::fixtures::question;

fn every_press() -> Vec<Press> {
    vec![
        Press::Choose {
            question: 0,
            choice: 2,
        },
        Press::Choose {
            question: 99,
            choice: 99,
        },
        Press::Tick {
            question: 99,
            choice: 99,
            ticked: true,
        },
        Press::Tick {
            question: 1,
            choice: 2,
            ticked: false,
        },
        Press::Write {
            question: 3,
            day: RangeDay::First,
        },
        Press::Write {
            question: 3,
            day: RangeDay::Last {
                first: jiff::civil::date(2027, 3, 1),
            },
        },
        Press::Date {
            question: 1,
            day: RangeDay::First,
            date: jiff::civil::date(2027, 3, 27),
        },
        Press::Date {
            question: 12,
            day: RangeDay::Last {
                first: jiff::civil::date(2027, 3, 1),
            },
            date: jiff::civil::date(2027, 3, 27),
        },
        Press::Skip { question: 1 },
        Press::Page { page: 4 },
        Press::Send { shown: None },
        Press::Send {
            shown: Some(DraftCode::new(&Draft::new(&question()))),
        },
        Press::Decline,
        Press::Undo,
        Press::People { shown: true },
        Press::People { shown: false },
        Press::Reason,
        Press::HandOn {
            to: PersonCode::new("zoe"),
        },
    ]
}

#[test]
fn a_button_is_read_back_and_fits_telegram() {
    for press in every_press() {
        let button = Button {
            inquiry: InquiryId::from(u128::MAX),
            revision: u32::MAX,
            press,
        };
        let data = button.encode();
        assert!(data.len() <= Button::BYTES_MAX, "{data}");
        assert_eq!(Button::decode(&data), Some(button));
    }
}

#[test]
fn the_form_of_the_data_is_stable() {
    let button = Button {
        inquiry: InquiryId::new("inq_01hzy3v5q0k2m4n6p8r0s2t4v6"),
        revision: 1,
        press: Press::Choose {
            question: 0,
            choice: 2,
        },
    };
    assert_eq!(button.encode(), "01hzy3v5q0k2m4n6p8r0s2t4v6.1.0.2");
}

/// A provider may deliver data that no message ever had.
#[test]
fn other_data_is_no_button() {
    let others = [
        "",
        ".",
        "...",
        "a.1",
        "a.1.",
        "a.1.0",
        "a.1.0.",
        "a.1.0.z",
        "a.1.+0.1",
        "a.1.0.-1",
        "a.-1.0.1",
        "a.1.0.1.1",
        "a.1.send.1",
        "a.1.0.d2027-02-30",
        "a b.1.send",
        "../x.1.send",
        "a.1.to",
        "a.1.to.12",
        "a.1.to.+1234567",
        "a.1.people.1",
        "a.99999999999.send",
        "a.1.99999999999999999999999.1",
    ];
    for data in others {
        assert_eq!(Button::decode(data), None, "{data:?}");
    }
    assert_eq!(Button::decode(&"a".repeat(65)), None);
}
