// As on a phone: UIKit brings Foundation, and the activity that a link arrives in.
@_exported import Foundation
@_exported import UserActivity
