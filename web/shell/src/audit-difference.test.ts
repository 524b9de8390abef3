import { describe, expect, it } from 'vitest'
import { differences, fieldWords, valueWords } from './audit-difference.ts'

const words = { yes: 'Yes', no: 'No', nothing: '–', when: (time: Date) => time.toISOString().slice(0, 10) }

describe('the changes of an audit entry', () => {
  it('contain only values that differ', () => {
    expect(differences({ name: 'Yard', latitude: null }, { name: 'Gate', latitude: null })).toEqual([
      { field: 'name', before: 'Yard', after: 'Gate' },
    ])
  })

  it('contain all values of an added or deleted object', () => {
    expect(differences(null, { name: 'Yard', place: { latitude: 1 } })).toEqual([
      { field: 'name', before: undefined, after: 'Yard' },
      { field: 'place.latitude', before: undefined, after: 1 },
    ])
    expect(differences({ name: 'Yard' }, null)).toEqual([{ field: 'name', before: 'Yard', after: undefined }])
    expect(differences(null, null)).toEqual([])
  })

  it('compare lists as a whole', () => {
    expect(differences({ zoneIds: [1, 2] }, { zoneIds: [1, 2] })).toEqual([])
    expect(differences({ zoneIds: [1, 2] }, { zoneIds: [1] })).toEqual([
      { field: 'zoneIds', before: [1, 2], after: [1] },
    ])
  })

  it('are readable', () => {
    expect(fieldWords('allowsHelpdeskShowVideo')).toBe('Allows helpdesk show video')
    expect(fieldWords('place.timeZone')).toBe('Place › time zone')
    expect(valueWords(true, words)).toBe('Yes')
    expect(valueWords(null, words)).toBe('–')
    expect(valueWords([], words)).toBe('–')
    expect(valueWords(['ptz', 'export'], words)).toBe('ptz, export')
    expect(valueWords('2026-11-21T19:02:07.287+00:00', words)).toBe('2026-11-21')
    const span = '2026-11-21T19:02:07.287+00:00/2026-11-22T19:02:07.287+00:00'
    expect(valueWords([span, 'a/b'], words)).toBe('2026-11-21 – 2026-11-22, a/b')
    expect(valueWords({ a: 1 }, words)).toBe('{"a":1}')
    expect(valueWords(0, words)).toBe('0')
  })
})
