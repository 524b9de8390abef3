import { children, descend, escapeXml, parsePrefixedXml, type XmlNode } from './xml.ts'

const MAX_PARAMETERS = 8
const MAX_TEXT = 256

/**
 * The reference parameters of a subscription as headers: some cameras tell their subscriptions apart by them, and want them back
 * with each call (WS-Addressing 1.0 §3.3). Empty if there are none, or none that is plain text.
 */
export function referenceHeaders(reply: string): string {
  const found = find(parsePrefixedXml(reply), 'ReferenceParameters', new Map(), 0)
  if (found === undefined || typeof found.node === 'string') return ''
  const headers: string[] = []
  for (const [name, value] of Object.entries(found.node).slice(0, MAX_PARAMETERS)) {
    if (name.startsWith('@') || name === '#text') continue
    const text = textOf(value)
    const namespace = namespaceOf(name, withDeclarations(value, found.namespaces))
    if (text === undefined || namespace === undefined) continue
    const local = name.replace(/^[^:]*:/, '')
    if (!/^[A-Za-z_][\w.-]{0,63}$/.test(local)) continue
    headers.push(
      `<r:${local} a:isReferenceParameter="true" xmlns:a="http://www.w3.org/2005/08/addressing" ` +
        `xmlns:r="${escapeXml(namespace)}">${escapeXml(text.slice(0, MAX_TEXT))}</r:${local}>`,
    )
  }
  return headers.join('')
}

type Namespaces = ReadonlyMap<string, string>

/** The first element of that local name, with the prefixes that are declared there. */
function find(
  node: XmlNode | undefined,
  name: string,
  outer: Namespaces,
  depth: number,
): { readonly node: XmlNode; readonly namespaces: Namespaces } | undefined {
  if (node === undefined || typeof node === 'string' || depth > 16) return undefined
  const namespaces = withDeclarations(node, outer)
  for (const [key, value] of Object.entries(node)) {
    if (key.startsWith('@')) continue
    const [first] = Array.isArray(value) ? value : [value]
    if (key.replace(/^[^:]*:/, '') === name && first !== undefined)
      return { node: first, namespaces: withDeclarations(first, namespaces) }
    const below = find(first, name, namespaces, depth + 1)
    if (below !== undefined) return below
  }
  return undefined
}

function withDeclarations(node: XmlNode, outer: Namespaces): Namespaces {
  if (typeof node === 'string') return outer
  const own = Object.entries(node).flatMap(([key, value]) =>
    /^@xmlns(:|$)/.test(key) && typeof value === 'string' ? [[key.slice('@xmlns:'.length), value] as const] : [],
  )
  return own.length === 0 ? outer : new Map([...outer, ...own])
}

const namespaceOf = (name: string, namespaces: Namespaces): string | undefined =>
  namespaces.get(name.includes(':') ? (name.split(':', 1)[0] ?? '') : '')

function textOf(node: XmlNode): string | undefined {
  if (typeof node === 'string') return node
  const [text] = children(node, '#text', 1)
  const value = text ?? descend(node, '0')
  return typeof value === 'string' ? value : undefined
}
