import * as z from 'zod/mini'
import { children, descend, readText, type XmlNode } from './xml.ts'

/**
 * Schemas for parsed XML. An element that occurs once is no list, one with attributes is no text, and one may be missing: each
 * schema takes what {@link XmlNode} may be, whatever the camera sent.
 */

const isNode = (value: unknown): value is XmlNode =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)
const asNode = (value: unknown): XmlNode | undefined => (isNode(value) ? value : undefined)

/** Text of an element; undefined if it is missing. At most 2048 characters. */
export const text = z.optional(
  z.pipe(
    z.transform((value) => readText(asNode(value))),
    z.optional(z.string()),
  ),
)

/** Text of an element that has to be there. */
export const neededText = z.pipe(
  z.transform((value) => readText(asNode(value))),
  z.string().check(z.minLength(1)),
)

/** A number from 0 to 10^9; 0 if it is missing or no such number. */
export const number = z._default(
  z.pipe(
    z.transform((value) => {
      const parsed = Number(readText(asNode(value)))
      return parsed >= 0 && parsed <= 1e9 ? parsed : 0
    }),
    z.number(),
  ),
  0,
)

/** A number from -10^9 to 10^9; undefined if it is missing or no such number. */
export const signedNumber = z.optional(
  z.pipe(
    z.transform((value) => {
      const text = readText(asNode(value))
      const parsed = text === undefined || text === '' ? Number.NaN : Number(text)
      return Math.abs(parsed) <= 1e9 ? parsed : undefined
    }),
    z.optional(z.number()),
  ),
)

/** The first element of that name; the shape decides what it needs. */
export const element = <T>(shape: z.ZodMiniType<T>) =>
  z.pipe(
    z.transform((value): unknown => toObject(first(asNode(value)))),
    shape,
  )

/** The same for one that may be missing. */
export const optionalElement = <T>(shape: z.ZodMiniType<T>) => z.optional(element(shape))

/** All elements of a name, at most `limit`; those with another shape are left out. */
export const list = <T>(shape: z.ZodMiniType<T>, limit: number) =>
  z._default(
    z.pipe(
      z.transform((value) =>
        all(asNode(value), limit).flatMap((one): T[] => {
          const parsed = z.safeParse(shape, toObject(one))
          return parsed.success ? [parsed.data] : []
        }),
      ),
      z.array(z.custom<T>()),
    ),
    [],
  )

/** The words of all elements of a name, at most `limit` elements. */
export const words = (limit: number) =>
  z._default(
    z.pipe(
      z.transform((value) =>
        all(asNode(value), limit).flatMap((one) => (readText(one) ?? '').split(/\s+/).filter((word) => word !== '')),
      ),
      z.array(z.string()),
    ),
    [],
  )

/** An element that has to be there, as it was parsed. */
export const neededElement = z.custom<XmlNode>((value) => typeof value === 'object' && value !== null)

/** An element whose content isn't known before. */
export const anything = z.optional(z.custom<XmlNode>(isNode))

const all = (node: XmlNode | undefined, limit: number): readonly XmlNode[] =>
  node === undefined ? [] : children({ node }, 'node', limit)

const first = (node: XmlNode | undefined): XmlNode | undefined =>
  node === undefined ? node : descend({ node }, 'node')

/** An element without children or attributes is an empty text. */
const toObject = (node: XmlNode | undefined): XmlNode | undefined => (typeof node === 'string' ? {} : node)
