import { searchOptions } from '@sightline/kit'
import { expect, it } from 'vitest'
import { countryOptions } from './countries.ts'

const codes = ['BQ', 'NL', 'NE', 'NG', 'DE', 'DK', 'US', 'UM', 'VI', 'GB', 'TR', 'PL', 'PT', 'JP']

it.each([
  ['en', 'nether', 'NL'],
  ['en', 'NL', 'NL'],
  ['nl', 'neder', 'NL'],
  ['de', 'nieder', 'NL'],
  ['es', 'países', 'NL'],
  ['pt', 'paises', 'NL'],
  ['pl', 'holan', 'NL'],
  ['tr', 'hollanda', 'NL'],
  ['ja', 'オランダ', 'NL'],
  ['en', 'us', 'US'],
  ['en', 'united states', 'US'],
])('in %s, %s finds the country before a smaller one of that name', (language, query, first) => {
  expect(searchOptions(countryOptions(codes, language), query)[0]?.value).toBe(first)
})
