import { openApi } from '@sightline/contract/openapi'
import { allRoutes, namedSchemas } from '@sightline/contract/routes'
import { expect, test } from 'vitest'
import { callsByTag, curlCommand, type Description, resolveSchema, typeText } from './description.ts'

const description = openApi({
  routes: allRoutes,
  named: namedSchemas,
  version: '2.4',
  server: '/rest/v2.4',
}) as unknown as Description
const callNamed = (name: string) => {
  const found = callsByTag(description, '').flatMap(({ calls }) => calls)
  const call = found.find(({ operation }) => operation.operationId === name)
  if (call === undefined) throw new Error(`no call is named ${name}`)
  return call
}

test('every call of the API is on the page once', () => {
  const names = callsByTag(description, '').flatMap(({ calls }) => calls.map(({ operation }) => operation.operationId))
  expect(names.toSorted()).toEqual(allRoutes.map(({ name }) => name).toSorted())
})

test('a search finds calls by any word of method, path, name or summary', () => {
  const found = callsByTag(description, 'delete zone').flatMap(({ calls }) => calls)
  expect(found.map(({ operation }) => operation.operationId)).toContain('deleteZone')
  expect(callsByTag(description, 'no such call')).toEqual([])
})

test('a call is shown as a command that can be pasted', () => {
  expect(curlCommand(callNamed('patchZone'), description, 'https://cameras.example.com')).toMatch(
    /^curl -X PATCH 'https:\/\/cameras\.example\.com\/rest\/v2\.4\/zones\/40007' \\\n {2}-H "Authorization: Bearer \$TOKEN" \\\n {2}-H 'Content-Type: application\/json' \\\n {2}-d '\{.*\}'$/,
  )
})

test('types are written in one line', () => {
  const { schema } = resolveSchema({ $ref: '#/components/schemas/Zone' }, description)
  const fields = schema.properties ?? {}
  expect(typeText(fields.createdAt ?? {}, description)).toBe('string (date-time)')
  expect(typeText(fields.zoneId ?? {}, description)).toBe('integer (int64), at least 1')
  expect(typeText(fields.cameraIds ?? {}, description)).toBe('array of integer (int64), at least 1')
})
