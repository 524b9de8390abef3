import { escapeXml, type XmlNode } from './xml.ts'

const NAME = /^[A-Za-z_][\w.-]{0,63}$/

/**
 * A parsed element as XML again, below `prefix`: what a camera sent goes back to it with what was changed, because a configuration is
 * set as a whole. Attributes lose their prefixes, so only elements without namespaced attributes come through unchanged.
 */
export function toXml(prefix: string, name: string, node: XmlNode): string {
  if (!NAME.test(name)) return ''
  if (typeof node === 'string') return `<${prefix}:${name}>${escapeXml(node)}</${prefix}:${name}>`
  if (isList(node)) return node.map((one) => toXml(prefix, name, one)).join('')
  const attributes = Object.entries(node).flatMap(([key, value]) =>
    key.startsWith('@') && !key.startsWith('@xmlns') && NAME.test(key.slice(1)) && typeof value === 'string'
      ? [` ${key.slice(1)}="${escapeXml(value)}"`]
      : [],
  )
  return `<${prefix}:${name}${attributes.join('')}>${contentOf(prefix, node)}</${prefix}:${name}>`
}

function contentOf(prefix: string, node: XmlNode): string {
  if (typeof node === 'string') return escapeXml(node)
  return Object.entries(node)
    .map(([key, value]: [string, XmlNode]) => {
      if (key === '#text') return typeof value === 'string' ? escapeXml(value) : ''
      return key.startsWith('@') ? '' : toXml(prefix, key, value)
    })
    .join('')
}

/** The same element with a text further down; elements on the way that are missing are added at the end. */
export function withText(node: XmlNode, path: readonly [string, ...string[]], text: string): XmlNode {
  const [name, next, ...rest] = path
  const object = typeof node === 'string' || isList(node) ? {} : node
  const below = Object.hasOwn(object, name) ? object[name] : undefined
  const [first] = below !== undefined && isList(below) ? below : [below]
  return { ...object, [name]: next === undefined ? text : withText(first ?? {}, [next, ...rest], text) }
}

const isList = (node: XmlNode): node is readonly XmlNode[] => Array.isArray(node)
