//! Rights (permissions) of staff in this domain. Without a role that grants it, a right is denied.

staff::rights! {
    FeedbackRead "feedback.read" "Read the feedback of members and visitors"
    FeedbackWrite "feedback.write" "Answer feedback, and close it"
}
