import { expect, it } from 'vitest'
import { type Option, searchOptions } from './option-search.ts'

const zones: readonly Option[] = [
  { value: 'ny', label: 'America/New York', hint: 'UTC-05:00', keywords: '-5 utc-5' },
  { value: 'ams', label: 'Europe/Amsterdam', hint: 'UTC+01:00', keywords: '+1 utc+1' },
  { value: 'ath', label: 'Europe/Athens', hint: 'UTC+02:00', keywords: '+2 utc+2' },
  { value: 'kiri', label: 'Pacific/Kiritimati', hint: 'UTC+14:00', keywords: '+14 utc+14' },
  { value: 'sp', label: 'America/São Paulo', hint: 'UTC-03:00', keywords: '-3 utc-3' },
]
const found = (query: string) => searchOptions(zones, query).map((option) => option.value)

it.each([
  ['amst', ['ams']],
  ['+2', ['ath']],
  ['utc+2', ['ath']],
  ['−5', ['ny']],
  ['sao', ['sp']],
  ['NEW york', ['ny']],
  ['europe +2', ['ath']],
  ['zurich', []],
  ['', ['ny', 'ams', 'ath', 'kiri', 'sp']],
])('%s finds %j', (query, values) => {
  expect(found(query)).toEqual(values)
})

it('an exact offset comes before one that only starts with the query', () => {
  expect(found('+1')).toEqual(['ams', 'kiri'])
})

it('exact names come first, then names that start with the query, names with such a word, and names that contain it', () => {
  const labels = ['Caribbean Netherlands', 'New Netherby', 'Netherlands Antilles', 'Hinnether', 'Netherlands']
  const countries = labels.map((label) => ({ value: label, label }))
  const names = (query: string) => searchOptions(countries, query).map(({ label }) => label)
  expect(names('netherlands')).toEqual(['Netherlands', 'Netherlands Antilles', 'Caribbean Netherlands'])
  expect(names('nether')).toEqual([
    'Netherlands Antilles',
    'Netherlands',
    'Caribbean Netherlands',
    'New Netherby',
    'Hinnether',
  ])
})
