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
  const statuses = ['200', '304', '400', '401', '403', '404', '406', '429']
  expect(Object.keys(body.paths['/cameras/{cameraId}'].get.responses)).toEqual(statuses)
})

test('what the frame understands is described with each call that has it', async () => {
  await using api = await testApi()
  const { paths } = (await api.call(undefined, 'GET openapi.json')).body
  const named = (operation: { parameters: { name: string }[] }) => operation.parameters.map(({ name }) => name)
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
