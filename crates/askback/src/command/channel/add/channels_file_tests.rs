//! Tables are added to what is there, and an account to the person who is there.

use super::ChannelsFile;

#[test]
fn an_account_is_added_to_the_table_of_its_person() {
    let mut file = ChannelsFile(String::new());
    file.add_channel("ntfy", &[]);
    file.add_recipient("zoe", "Zoë", Some("ntfy:topic"));
    file.add_recipient("zoe", "ignored", Some("slack:U1"));
    file.add_recipient("zoe", "ignored", Some("slack:U1"));
    file.add_recipient("zoe", "ignored", None);
    let expected = "[channels.ntfy]\n\n[recipients.zoe]\nname = \"Zoë\"\n\
                    identities = [\"ntfy:topic\", \"slack:U1\"]\n";
    assert_eq!(file.text(), expected);
}

#[test]
fn comments_stay_and_a_table_without_accounts_gets_one() {
    let mut file = ChannelsFile("# mine\n[recipients.zoe] \n# hers\n[recipients.ben]\n".to_owned());
    file.add_recipient("zoe", "Zoë", Some("ntfy:a\"b"));
    let expected =
        "# mine\n[recipients.zoe] \nidentities = [\"ntfy:a\\\"b\"]\n# hers\n[recipients.ben]\n";
    assert_eq!(file.text(), expected);
}
