import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Route } from '../wire/index.ts'
import { allRoutes } from './index.ts'

type Schema = Route['body']

interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, Schema>>
  readonly innerType?: Schema
  readonly element?: Schema
  readonly options?: readonly Schema[]
  readonly in?: Schema
  readonly valueType?: Schema
}

interface Field {
  readonly name: string
  readonly schema: Schema
}

/** Every text in a body or a query, by its place there. */
function textsOf(schema: Schema, name: string): readonly Field[] {
  const definition = schema._zod.def as unknown as Definition
  const { type, shape, innerType, element, options, valueType } = definition
  if (type === 'string') return [{ name, schema }]
  if (shape !== undefined) return Object.entries(shape).flatMap(([key, field]) => textsOf(field, `${name}.${key}`))
  const inner = [innerType, element, valueType, definition.in, ...(options ?? [])].filter((one) => one !== undefined)
  return inner.flatMap((one) => textsOf(one, name))
}

/** The last part of a field's name, and why it may contain such text. */
const EXCEPT: Readonly<Record<string, string>> = {
  password: 'a secret, compared with its hash and never shown',
  code: 'a secret, compared and never shown',
  timeZone: 'the server takes names of the TZ database only',
  version: 'the server takes the version of the agreement that there is only',
  redirectUris: 'the list must be empty',
  transports: 'the browser reads its own words back',
  appVersion: 'only the device that wrote it reads it',
  locale: 'the server takes languages that there are only',
  zohoId: 'what is no identifier is refused with the code of its operation',
  endpoint: 'the server takes addresses of push services only',
  time: 'refused whatever it says',
  resolution: 'refused whatever it says',
}
const isExcepted = (name: string): boolean => EXCEPT[name.split('.').at(-1) ?? ''] !== undefined

/** Long enough for every field, and a good name without the one character. */
const withOne = (character: string) => `Anna${character}Belle`

const written = allRoutes.flatMap(({ name, body }) => textsOf(body, name))
const searched = allRoutes.flatMap(({ name, query }) => textsOf(query, `${name}.query`))

test.each(['\u0007', '\u202e', '\u2066', '\u200f', '\u2028', '\u200b', '\u200d'])(
  'every text that one person writes and another sees, and every text in a query, refuses %j',
  (character) => {
    const taken = [...written, ...searched].filter(({ name, schema }) => {
      return !isExcepted(name) && z.safeParse(schema, withOne(character)).success
    })
    expect(taken.map(({ name }) => name)).toEqual([])
  },
)

test('every exception is an existing field that accepts such a text', () => {
  const taking = [...written, ...searched].filter(({ schema }) => z.safeParse(schema, withOne('\u202e')).success)
  const names = new Set(taking.map(({ name }) => name.split('.').at(-1)))
  expect(Object.keys(EXCEPT).filter((name) => !names.has(name))).toEqual([])
})
