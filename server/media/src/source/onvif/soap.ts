import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { CameraCredentials } from '../rtsp/rtsp-authentication.ts'
import { children, descend, escapeXml, parseXml, readText, type XmlNode } from './xml.ts'

const SECURITY = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'
const UTILITY = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd'
const TOKEN_PROFILE =
  'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordDigest'
const ENCODING = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary'

/** The password as a digest over nonce and time (WS-Security UsernameToken profile 1.0 §3.1); `created` by the camera's clock. */
export function usernameToken(
  { username, password }: CameraCredentials,
  created: Date,
  nonce = randomBytes(16),
): string {
  // Whole seconds: some cameras cannot read a fraction.
  const time = created.toISOString().replace(/\.\d+Z$/, 'Z')
  const digest = createHash('sha1').update(nonce).update(time).update(password).digest('base64')
  return (
    `<w:Security s:mustUnderstand="1" xmlns:w="${SECURITY}" xmlns:u="${UTILITY}"><w:UsernameToken>` +
    `<w:Username>${escapeXml(username)}</w:Username><w:Password Type="${TOKEN_PROFILE}">${digest}</w:Password>` +
    `<w:Nonce EncodingType="${ENCODING}">${nonce.toString('base64')}</w:Nonce><u:Created>${time}</u:Created>` +
    '</w:UsernameToken></w:Security>'
  )
}

/** A SOAP 1.2 message; `header` and `body` are XML already. */
export function envelope(header: string, body: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope">' +
    `<s:Header>${header}</s:Header><s:Body>${body}</s:Body></s:Envelope>`
  )
}

const ADDRESSING = 'http://www.w3.org/2005/08/addressing'

/** Headers that say where a message goes and what it asks for (WS-Addressing 1.0 §3); `to` as the camera named it. */
export const addressingHeaders = (to: string, action: string): string =>
  `<a:Action s:mustUnderstand="1" xmlns:a="${ADDRESSING}">${escapeXml(action)}</a:Action>` +
  `<a:MessageID xmlns:a="${ADDRESSING}">urn:uuid:${randomUUID()}</a:MessageID>` +
  `<a:ReplyTo xmlns:a="${ADDRESSING}"><a:Address>${ADDRESSING}/anonymous</a:Address></a:ReplyTo>` +
  `<a:To s:mustUnderstand="1" xmlns:a="${ADDRESSING}">${escapeXml(to)}</a:To>`

export type SoapReply =
  | { readonly kind: 'reply'; readonly body: XmlNode }
  | {
      readonly kind: 'fault'
      readonly isNotAuthorized: boolean
      /** The camera doesn't have what was asked for. */
      readonly isUnsupported: boolean
      /** Of the fault, from the most general, without their prefixes. */
      readonly codes: readonly string[]
      readonly reason: string
    }

/** The reply to `operation`, or the fault; undefined if it is neither. */
export function parseReply(xml: string, operation: string): SoapReply | undefined {
  const body = descend(parseXml(xml), 'Envelope', 'Body')
  const soapFault = descend(body, 'Fault')
  if (soapFault !== undefined) {
    const reason = readText(soapFault, 'Reason', 'Text') ?? readText(soapFault, 'faultstring') ?? ''
    const codes = faultCodes(soapFault)
    const names = codes.map((code) => code.replace(/^.*:/, ''))
    return {
      kind: 'fault',
      isNotAuthorized: isRejection(codes, reason),
      isUnsupported: isUnknown(codes),
      codes: names,
      reason,
    }
  }
  const [reply] = children(body, `${operation}Response`, 1)
  return reply === undefined ? undefined : { kind: 'reply', body: reply }
}

/** Some cameras name the cause only in the sentence. */
const isRejection = (codes: readonly string[], reason: string): boolean =>
  codes.some((code) => /(^|:)(NotAuthorized|FailedAuthentication|InvalidSecurity(Token)?)$/.test(code)) ||
  /^\W*(sender )?not authorized\W*$/i.test(reason)

/** ONVIF Core §5.11.2.2: an operation that is unknown, or known and not implemented. */
const isUnknown = (codes: readonly string[]): boolean =>
  codes.some((code) => /(^|:)(ActionNotSupported|OptionalActionNotImplemented|UnknownAction)$/.test(code))

/** Subcodes are nested in each other (SOAP 1.2 §5.4.1). */
function faultCodes(soapFault: XmlNode): readonly string[] {
  const codes: string[] = [readText(soapFault, 'faultcode') ?? '']
  let at = descend(soapFault, 'Code')
  for (let depth = 0; at !== undefined && depth < 8; depth++) {
    codes.push(readText(at, 'Value') ?? '')
    at = descend(at, 'Subcode')
  }
  return codes
}
