import { XMLParser } from 'fast-xml-parser'

/** A parsed element: text, or children by local name. Attributes begin with `@`; what occurs several times is a list. */
export type XmlNode = string | { readonly [name: string]: XmlNode } | readonly XmlNode[]

const options = {
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: 64,
}
const parser = new XMLParser(options)

/** The same with prefixes and declarations of namespaces, for elements that are sent back as they came. */
const prefixedParser = new XMLParser({ ...options, removeNSPrefix: false })

/** Text of a reply: UTF-8, where damaged characters are replaced, or UTF-16 with a byte-order mark. */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes
  // The decoder takes a byte-order mark away.
  const decode = (encoding: string): string => new TextDecoder(encoding).decode(bytes)
  if (first === 0xff && second === 0xfe) return decode('utf-16le')
  return decode(first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8')
}

/** undefined if it isn't well-formed, or has a document type: SOAP forbids it, and entities can expand there. */
export const parseXml = (text: string): XmlNode | undefined => parseBy(parser, text)

/** The same with the names as they are written: `wsa:Address`, `@xmlns:wsa`. */
export const parsePrefixedXml = (text: string): XmlNode | undefined => parseBy(prefixedParser, text)

function parseBy(by: XMLParser, text: string): XmlNode | undefined {
  if (/<!DOCTYPE/i.test(text)) return undefined
  try {
    return by.parse(text.replace(/^[\s\uFEFF]+/, ''))
  } catch {
    // Also if elements are nested so deeply that the parser gives up.
    return undefined
  }
}

const isList = (node: XmlNode): node is readonly XmlNode[] => Array.isArray(node)

/** All elements of that local name; at most `limit`. */
export function children(node: XmlNode | undefined, name: string, limit = 32): readonly XmlNode[] {
  if (node === undefined || typeof node === 'string') return []
  if (isList(node)) return children(node[0], name, limit)
  const found = Object.hasOwn(node, name) ? node[name] : undefined
  if (found === undefined) return []
  return isList(found) ? found.slice(0, limit) : [found]
}

/** The first element below, one local name for each step. */
export function descend(node: XmlNode | undefined, ...names: readonly string[]): XmlNode | undefined {
  return names.reduce<XmlNode | undefined>((at, name) => children(at, name, 1)[0], node)
}

/** Text of an element without its attributes, cut to what fits a name or an address. */
export function readText(node: XmlNode | undefined, ...names: readonly string[]): string | undefined {
  const found = descend(node, ...names)
  if (found === undefined) return undefined
  const text = typeof found === 'string' ? found : descend(found, '#text')
  return typeof text === 'string' ? text.trim().slice(0, 2048) : undefined
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

export const escapeXml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
