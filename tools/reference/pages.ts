import { configPage } from './config-page.ts'
import { apiPage, errorsPage, openApiDocument } from './contract-pages.ts'
import { schemaPage } from './schema-page.ts'

export const REFERENCE = 'docs/reference'

/** All generated files of docs/reference, by name. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  return {
    'api.md': apiPage(),
    'openapi.json': openApiDocument(),
    'errors.md': errorsPage(),
    'config.md': configPage(),
    'schema.md': await schemaPage(),
  }
}
