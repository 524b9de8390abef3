// Separate from the schemas of responses: a browser needs it only after the first error.

/**
 * All errors of the API (specification §8; HTTP status per api.md §2.5). Clients rely on `code`; users see `title` if
 * the operation has no better text (`messages.ts`).
 */
export const errorCatalogue = {
  internal: { code: 1, status: 500, title: 'Internal error' },
  parse: { code: 2, status: 400, title: 'The request could not be parsed' },
  payloadTooLarge: { code: 2, status: 413, title: 'The request is too large' },
  validation: { code: 3, status: 400, title: 'The request is not valid' },
  notFound: { code: 4, status: 404, title: 'Not found' },
  duplicate: {
    code: 5,
    status: 409,
    title: 'The new resource could not be created as a resource with the same identifying information already exists',
  },
  businessRule: { code: 6, status: 409, title: 'This is not possible in the current state' },
  preconditionFailed: { code: 6, status: 412, title: 'The object has changed since you read it' },
  subscriptionLimit: { code: 7, status: 409, title: 'Subscription limit reached' },
  authenticationFailed: { code: 8, status: 401, title: 'Authentication failed' },
  deviceNotReady: { code: 8, status: 422, title: 'The device is not ready to be added' },
  notAuthorized: { code: 9, status: 403, title: 'Not authorized' },
  unsupportedOperation: { code: 10, status: 405, title: 'Unsupported operation' },
  notAcceptable: { code: 10, status: 406, title: 'This call returns only JSON' },
  capabilityNotSupported: { code: 11, status: 422, title: "The camera doesn't support this" },
  deviceCredentialsIncorrect: { code: 12, status: 424, title: 'The device credentials are incorrect' },
  deviceInternal: { code: 13, status: 424, title: 'The device reported an internal error' },
  deviceOffline: { code: 14, status: 424, title: 'The device is offline' },
  incompleteResponse: { code: 15, status: 424, title: 'The device sent an incomplete response' },
  overloaded: { code: 16, status: 503, title: 'The server is busy, try again shortly' },
  tooManyRequests: { code: 16, status: 429, title: 'Too many requests, try again later' },
  mediaNotSupported: { code: 17, status: 422, title: "This isn't supported by this camera or server" },
  cameraOffline: { code: 18, status: 424, title: 'The camera is offline' },
  timedOut: { code: 19, status: 504, title: 'The request timed out' },
  connect: { code: 20, status: 502, title: 'Part of the service could not be reached' },
} as const satisfies Record<string, { code: number; status: number; title: string }>

export type ErrorName = keyof typeof errorCatalogue
