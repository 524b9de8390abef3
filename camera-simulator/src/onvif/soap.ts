import { XMLParser } from 'fast-xml-parser'

/** A parsed element: text, or children by local name. Attributes begin with `@`. */
export type XmlNode = string | { readonly [name: string]: XmlNode } | readonly XmlNode[]

export interface SoapRequest {
  /** Local name of the first element of the body: `GetProfiles`. */
  readonly operation: string
  readonly body: XmlNode
  readonly header: XmlNode | undefined
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
})

/** Child by local name; the first when it occurs several times. */
export function child(node: XmlNode | undefined, name: string): XmlNode | undefined {
  if (node === undefined || typeof node === 'string') return undefined
  if (isList(node)) return child(node[0], name)
  return Object.hasOwn(node, name) ? node[name] : undefined
}

const isList = (node: XmlNode): node is readonly XmlNode[] => Array.isArray(node)

/** Text of an element, without its attributes; undefined when there is none. */
/** All elements of that name. */
export function children(node: XmlNode, name: string): readonly XmlNode[] {
  if (typeof node === 'string' || Array.isArray(node)) return []
  const found = Object.entries(node).find(([key]) => key === name)?.[1]
  if (found === undefined) return []
  return Array.isArray(found) ? (found as readonly XmlNode[]) : [found]
}

export function getText(node: XmlNode | undefined): string | undefined {
  if (node === undefined || typeof node === 'string') return node?.trim()
  if (isList(node)) return getText(node[0])
  return getText(node['#text'])
}

/** An attribute of an element. */
export const getAttribute = (node: XmlNode | undefined, name: string): string | undefined =>
  getText(child(node, `@${name}`))

/**
 * Undefined if it isn't a SOAP envelope. A document type is refused: SOAP 1.2 §5 forbids it, and entities can expand
 * there.
 */
export function parseSoap(xml: string): SoapRequest | undefined {
  if (/<!DOCTYPE/i.test(xml)) return undefined
  let document: XmlNode
  try {
    document = parser.parse(xml)
  } catch {
    return undefined
  }
  const envelope = child(document, 'Envelope')
  const body = child(envelope, 'Body')
  if (body === undefined || typeof body === 'string' || isList(body)) return undefined
  const operation = Object.keys(body).find((name) => !name.startsWith('@') && name !== '#text')
  if (operation === undefined) return undefined
  return { operation, body: body[operation] ?? '', header: child(envelope, 'Header') }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

export const escapeXml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const NAMESPACES = [
  'xmlns:s="http://www.w3.org/2003/05/soap-envelope"',
  'xmlns:tds="http://www.onvif.org/ver10/device/wsdl"',
  'xmlns:trt="http://www.onvif.org/ver10/media/wsdl"',
  'xmlns:tt="http://www.onvif.org/ver10/schema"',
  'xmlns:ter="http://www.onvif.org/ver10/error"',
].join(' ')

export const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<s:Envelope ${NAMESPACES}><s:Body>${body}</s:Body></s:Envelope>`

/** A fault as in ONVIF Core §5.8.2: whose fault it is, and one or two subcodes. */
export interface SoapFault {
  readonly code: 'Sender' | 'Receiver'
  readonly subcodes: readonly [string, string?]
  readonly reason: string
}

export const notAuthorized: SoapFault = {
  code: 'Sender',
  subcodes: ['ter:NotAuthorized'],
  reason: 'Sender not authorized',
}

export function faultEnvelope({ code, subcodes: [first, second], reason }: SoapFault): string {
  const inner = second === undefined ? '' : `<s:Subcode><s:Value>${second}</s:Value></s:Subcode>`
  return envelope(
    `<s:Fault><s:Code><s:Value>s:${code}</s:Value><s:Subcode><s:Value>${first}</s:Value>${inner}</s:Subcode></s:Code>` +
      `<s:Reason><s:Text xml:lang="en">${escapeXml(reason)}</s:Text></s:Reason></s:Fault>`,
  )
}
