import { allRoutes } from '@sightline/contract/routes'
import { expect, test } from 'vitest'
import { testApi } from '../api-testing.ts'

test('the served description is OpenAPI 3.1 and names every call with its right, errors and operation', async () => {
  await using api = await testApi()
  const { status, body } = await api.call(undefined, 'GET openapi.json')
  expect(status).toBe(200)
  expect(body.openapi).toBe('3.1.0')
  const described = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>)
    .flatMap((path) => Object.values(path))
    .map((operation) => operation.operationId)
  expect(described.sort()).toEqual(allRoutes.map((route) => route.name).sort())
  expect(body.paths['/accounts/self/timeZone'].patch).toMatchObject({ 'x-right': 'userSettings', 'x-operation': 226 })
  expect(Object.keys(body.paths['/cameras/{cameraId}'].get.responses)).toEqual(['200', '401', '403', '404'])
})
