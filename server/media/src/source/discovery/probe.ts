import { randomUUID } from 'node:crypto'
import { parseMacAddress } from '@sightline/contract/camera-additions'
import type { DiscoveredCamera } from '@sightline/contract/media-plane'
import { children, decodeXml, descend, parseXml, readText } from '../onvif/xml.ts'

/** WS-Discovery 2005/04, as ONVIF Core §7 has it. */
export const DISCOVERY_PORT = 3702
export const DISCOVERY_GROUP = '239.255.255.250'
const DISCOVERY = 'http://schemas.xmlsoap.org/ws/2005/04/discovery'
const ADDRESSING = 'http://schemas.xmlsoap.org/ws/2004/08/addressing'
const MAX_TEXT = 64
const MAX_PORT = 65_535

/** A datagram that asks video transmitters to answer. */
export const probeMessage = (): Buffer =>
  Buffer.from(
    '<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" ' +
      `xmlns:a="${ADDRESSING}"><s:Header><a:Action s:mustUnderstand="1">${DISCOVERY}/Probe</a:Action>` +
      `<a:MessageID>urn:uuid:${randomUUID()}</a:MessageID><a:To s:mustUnderstand="1">urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To>` +
      `</s:Header><s:Body><d:Probe xmlns:d="${DISCOVERY}" xmlns:n="http://www.onvif.org/ver10/network/wsdl">` +
      '<d:Types>n:NetworkVideoTransmitter</d:Types></d:Probe></s:Body></s:Envelope>',
  )

/**
 * The cameras of an answer that came from `address`. Whatever host a device names, only its port and scheme count: the address that
 * answered is the one that was allowed.
 */
export function readMatches(datagram: Uint8Array, address: string): readonly DiscoveredCamera[] {
  const body = descend(parseXml(decodeXml(datagram)), 'Envelope', 'Body', 'ProbeMatches')
  return children(body, 'ProbeMatch').flatMap((match) => {
    const place = placeOf(words(readText(match, 'XAddrs')))
    if (place === undefined) return []
    const scopes = words(readText(match, 'Scopes'))
    return [
      {
        address,
        protocol: 'onvif' as const,
        foundBy: 'announcement' as const,
        ...place,
        name: scopeOf(scopes, 'name'),
        brand: scopeOf(scopes, 'manufacturer') || scopeOf(scopes, 'brand'),
        model: scopeOf(scopes, 'hardware'),
        ethMacAddress:
          parseMacAddress(scopeOf(scopes, 'mac')) ??
          parseMacAddress(scopeOf(scopes, 'serial')) ??
          nodeOf(readText(descend(match, 'EndpointReference'), 'Address')) ??
          '',
      },
    ]
  })
}

const words = (text: string | undefined): readonly string[] => (text ?? '').split(/\s+/).filter((word) => word !== '')

/** The first address of the device service that can be used; TLS only if there is no other. */
function placeOf(addresses: readonly string[]): Pick<DiscoveredCamera, 'port' | 'https'> | undefined {
  const urls = addresses.filter((text) => URL.canParse(text)).map((text) => new URL(text))
  const url = urls.find(({ protocol }) => protocol === 'http:') ?? urls.find(({ protocol }) => protocol === 'https:')
  if (url === undefined) return undefined
  const https = url.protocol === 'https:'
  const usual = https ? 443 : 80
  const port = url.port === '' ? usual : Number(url.port)
  return port >= 1 && port <= MAX_PORT ? { port, https } : undefined
}

/** `onvif://www.onvif.org/name/Front%20door`: the text of that scope without what could harm a screen or a log. */
function scopeOf(scopes: readonly string[], kind: string): string {
  const prefix = `onvif://www.onvif.org/${kind}/`
  const scope = scopes.find((text) => text.toLowerCase().startsWith(prefix))?.slice(prefix.length) ?? ''
  return decoded(scope)
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The node of a name by time (RFC 9562, version 1), which is a MAC address; makers of cameras build theirs like that. */
const nodeOf = (name: string | undefined): string | undefined =>
  parseMacAddress(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[0-9a-f]{4}-([0-9a-f]{12})$/i.exec(name ?? '')?.[1] ?? '',
  )
