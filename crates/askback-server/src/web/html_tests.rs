//! Whatever a text holds, HTML shows it and is not changed by it.

use super::Escaped;

#[test]
fn special_characters_become_text() {
    let hostile = r#"<script>alert("1")</script> & '"><img onerror=x>'"#;
    let escaped = Escaped(hostile).to_string();
    assert_eq!(
        escaped,
        "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;&quot;&gt;&lt;img onerror=x&gt;&#39;"
    );
}

#[test]
fn other_characters_stay_as_they_are() {
    for text in ["", "plain", "Grüße, 世界 🙂", "a\nb\tc"] {
        assert_eq!(Escaped(text).to_string(), text);
    }
}
