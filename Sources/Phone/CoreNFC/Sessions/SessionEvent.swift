import PhoneSessions

typealias SessionEvent = PhoneSession.Event
