import * as z from 'zod/mini'
import { route } from '../wire/index.ts'

export { type ApiDescription, openApi } from './document.ts'
export { textFormat } from './text-formats.ts'

export const getOpenApi = route({
  name: 'getOpenApi',
  summary: 'Get this description of the API (OpenAPI 3.1)',
  method: 'GET',
  path: 'openapi.json',
  access: 'public',
  support: 'yes',
  reply: z.record(z.string(), z.unknown()),
  errors: [],
})
