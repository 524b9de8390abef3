import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../db-testing/index.ts'
import { readMigrations } from './index.ts'

const REMOVES = '202611230130-no-svg-of-demonstrations'
const svg = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E'
const png = 'data:image/png;base64,iVBORw0KGgo='

test('an update removes SVG pictures from stored themes and leaves everything else unchanged', async () => {
  await using database = await testDatabase()
  const { plain } = database.db('owner')
  await plain.insertInto('distributors').values({ distributor_id: 1, name: 'Trade' }).execute()
  const store = (reseller_id: number, theme: object) =>
    plain
      .insertInto('resellers')
      .values({ reseller_id, distributor_id: 1, name: `Reseller ${reseller_id}`, theme: JSON.stringify(theme) })
      .execute()
  const drawn = { companyName: 'Blue', colors: { primary: '#0b6e6e' } }
  await store(301, { ...drawn, logo: svg, logoDark: svg, favicon: svg })
  await store(302, { ...drawn, logo: png, logoDark: svg, favicon: '/icon.png' })
  await store(303, {})

  const step = (await readMigrations()).find(({ name }) => name === REMOVES)
  await sql.raw(step?.sql ?? '').execute(plain)
  const rows = await plain.selectFrom('resellers').select('theme').orderBy('reseller_id').execute()
  expect(rows.map(({ theme }) => theme)).toEqual([
    { ...drawn, logo: null, favicon: null },
    { ...drawn, logo: png, favicon: '/icon.png' },
    {},
  ])
})
