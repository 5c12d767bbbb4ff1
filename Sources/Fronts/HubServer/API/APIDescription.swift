/// The API in the words of OpenAPI 3.1: each address, what it takes and gives, each error.
package enum APIDescription {
  package static let document: [UInt8] = PackageResources.openapi_json
}
