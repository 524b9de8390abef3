import { textFormat } from '@sightline/contract/openapi'
import { allRoutes } from '@sightline/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type TestApi, testApi } from '../slice-testing.ts'
import { openApi } from './index.ts'

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly description?: string
  readonly example?: unknown
}
interface Operation {
  readonly operationId: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

let api: TestApi
let document: Awaited<ReturnType<TestApi['call']>>['body']
const operations = (): Operation[] =>
  Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((path) => Object.values(path))
const parametersOf = ({ parameters }: Operation): Parameter[] =>
  parameters.map((one) =>
    one.$ref === undefined ? one : document.components.parameters[one.$ref.split('/').at(-1) ?? ''],
  )
const named = (operation: Operation): string[] => parametersOf(operation).map(({ name }) => name)

beforeAll(async () => {
  api = await testApi({ slices: [() => openApi] })
  const { status, body } = await api.call(undefined, 'GET openapi.json')
  expect(status).toBe(200)
  document = body
})
afterAll(() => api[Symbol.asyncDispose]())

test('the served description is OpenAPI 3.1 and lists every call with its right, errors and operation', () => {
  expect(document.openapi).toBe('3.1.0')
  const described = operations().map((operation) => operation.operationId)
  expect(described.sort()).toEqual(allRoutes.map((route) => route.name).sort())
  expect(document.paths['/accounts/self/timeZone'].patch).toMatchObject({
    'x-right': 'userSettings',
    'x-operation': 226,
  })
  const statuses = ['200', '304', '400', '401', '403', '404', '406', '429', '500', '503']
  expect(Object.keys(document.paths['/cameras/{cameraId}'].get.responses)).toEqual(statuses)
})

test('common parameters and headers are described for each call that has them', () => {
  const { paths } = document
  expect(named(paths['/cameras'].get)).toEqual([
    ...['zoneId', 'zoneIds', 'cameraIds', 'online', 'q'],
    ...['includeFields', 'excludeFields', 'sort', 'limit', 'pageToken', 'count'],
  ])
  expect(Object.keys(paths['/cameras'].get.responses['200'].headers)).toEqual(['Link', 'X-Total-Count'])
  expect(named(paths['/users/self'].get)).toEqual(['includeFields', 'excludeFields', 'If-None-Match'])
  expect(named(paths['/users/self'].patch)).toEqual(['If-Match'])
  expect(named(paths['/users/self/sessions'].post)).toEqual(['Idempotency-Key'])
  expect(paths['/cameras/{cameraId}/streamTickets'].post['x-not-replayed']).toContain('secret')
})

test('every call and parameter has a description and an example', () => {
  for (const operation of operations()) {
    expect(operation.description.length, operation.operationId).toBeGreaterThan(10)
    for (const { name, description = '', example } of parametersOf(operation)) {
      expect([description.length > 5, example !== undefined], `${operation.operationId} ${name}`).toEqual([true, true])
    }
  }
})

test('every reference resolves, and schemas have the names of the contract', () => {
  const references = new Set([...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, to = '']) => to))
  for (const reference of references) {
    const found = reference.split('/').reduce((at, key) => at?.[key], document)
    expect(found, reference).toBeDefined()
  }
  const reply = (path: string) => document.paths[path].get.responses['200'].content['application/json'].schema
  expect(reply('/zones/{zoneId}')).toEqual({ $ref: '#/components/schemas/Zone' })
  expect(reply('/cameras').items).toEqual({ $ref: '#/components/schemas/Camera' })
})

test('every pattern in the API is described in words', () => {
  const patterns = new Set<string>()
  for (const { params, query, body, reply } of allRoutes) {
    for (const [schema, io] of [
      [params, 'input'],
      [query, 'input'],
      [body, 'input'],
      [reply, 'output'],
    ] as const) {
      JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), (key, value) => {
        if (key === 'pattern') patterns.add(value)
        return value
      })
    }
  }
  // An email address has its own format.
  const email = [...patterns].filter((pattern) => pattern.includes('@'))
  expect([...patterns].filter((pattern) => !email.includes(pattern) && textFormat(pattern) === undefined)).toEqual([])
})
