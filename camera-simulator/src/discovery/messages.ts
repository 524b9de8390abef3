import { randomUUID } from 'node:crypto'
import { child, escapeXml, getText, parseSoap, type XmlNode } from '../onvif/soap.ts'

/** One camera as discovery announces it. */
export interface DiscoveredDevice {
  /** Lower case with colons; the endpoint's address is derived from it, so it survives a change of IP address. */
  readonly mac: string
  readonly scopes: readonly string[]
  /** Addresses of the device service. */
  readonly serviceAddresses: readonly string[]
}

const NAMESPACES =
  'xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" ' +
  'xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" xmlns:dn="http://www.onvif.org/ver10/network/wsdl"'
const DISCOVERY = 'http://schemas.xmlsoap.org/ws/2005/04/discovery'
const EVERYBODY = 'urn:schemas-xmlsoap-org:ws:2005:04:discovery'
const ANONYMOUS = 'http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous'
const TYPE = 'NetworkVideoTransmitter'

/** A version 1 style name whose node part is the MAC address (RFC 4122 §4.1.6), the same after each start. */
const endpointOf = (mac: string): string => `urn:uuid:5c1a0000-0000-1000-8000-${mac.replaceAll(':', '')}`

function message(parts: { action: string; to: string; relatesTo?: string; body: string }): string {
  const relation = parts.relatesTo === undefined ? '' : `<a:RelatesTo>${escapeXml(parts.relatesTo)}</a:RelatesTo>`
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<s:Envelope ${NAMESPACES}><s:Header>` +
    `<a:MessageID>urn:uuid:${randomUUID()}</a:MessageID>${relation}<a:To>${parts.to}</a:To>` +
    `<a:Action>${DISCOVERY}/${parts.action}</a:Action></s:Header><s:Body>${parts.body}</s:Body></s:Envelope>`
  )
}

const endpoint = ({ mac }: DiscoveredDevice): string =>
  `<a:EndpointReference><a:Address>${endpointOf(mac)}</a:Address></a:EndpointReference>`

const details = (device: DiscoveredDevice): string =>
  `${endpoint(device)}<d:Types>dn:${TYPE}</d:Types><d:Scopes>${device.scopes.map(escapeXml).join(' ')}</d:Scopes>` +
  `<d:XAddrs>${device.serviceAddresses.map(escapeXml).join(' ')}</d:XAddrs><d:MetadataVersion>1</d:MetadataVersion>`

export const hello = (device: DiscoveredDevice): string =>
  message({ action: 'Hello', to: EVERYBODY, body: `<d:Hello>${details(device)}</d:Hello>` })

export const bye = (device: DiscoveredDevice): string =>
  message({ action: 'Bye', to: EVERYBODY, body: `<d:Bye>${endpoint(device)}</d:Bye>` })

/** A client looks for devices (WS-Discovery 2005 §5.2). */
export interface Probe {
  readonly messageId: string
  /** Local names; none means any. */
  readonly types: readonly string[]
  readonly scopes: readonly string[]
}

const words = (node: XmlNode | undefined): string[] => (getText(node) ?? '').split(/\s+/).filter((word) => word !== '')

/** Undefined when the datagram is not a probe. */
export function parseProbe(xml: string): Probe | undefined {
  const request = parseSoap(xml)
  const messageId = getText(child(request?.header, 'MessageID'))
  if (request === undefined || request.operation !== 'Probe' || messageId === undefined) return undefined
  const types = words(child(request.body, 'Types')).map((type) => type.replace(/^.*:/, ''))
  return { messageId, types, scopes: words(child(request.body, 'Scopes')) }
}

/**
 * Types must be ours; each requested scope must be the beginning of one of the device's, segment by segment (§5.1, RFC
 * 3986 rule).
 */
export function isMatch(probe: Probe, device: DiscoveredDevice): boolean {
  const hasScope = (wanted: string) =>
    device.scopes.some((scope) => scope === wanted || scope.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`))
  return probe.types.every((type) => type === TYPE) && probe.scopes.every(hasScope)
}

export function probeMatches(probe: Probe, device: DiscoveredDevice): string {
  const body = `<d:ProbeMatches><d:ProbeMatch>${details(device)}</d:ProbeMatch></d:ProbeMatches>`
  return message({ action: 'ProbeMatches', to: ANONYMOUS, relatesTo: probe.messageId, body })
}
