//! What people of the office may do here. What nobody is named for, nobody may.

staff::rights! {
    FeedbackRead "feedback.read" "Read what members and visitors wrote to the house"
    FeedbackWrite "feedback.write" "Answer feedback, and close it"
}
