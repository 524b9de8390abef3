import type { TimeZoneEntry } from '@sightline/contract/reference-lists'
import type { Option } from '@sightline/kit'
import { offsetText, twoDigits, zoneName } from './zone-label.ts'

/** All usual ways to write an offset: `+5:30`, `+05:30`, `utc+5:30`, `gmt+05:30`; `+2` without minutes. */
function offsetWords(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60)
  const sign = seconds < 0 ? '-' : '+'
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  const forms = [`${hours}:${twoDigits(rest)}`, `${twoDigits(hours)}:${twoDigits(rest)}`]
  if (rest === 0) forms.push(String(hours), twoDigits(hours))
  return forms.flatMap((form) => [`${sign}${form}`, `utc${sign}${form}`, `gmt${sign}${form}`]).join(' ')
}

/** Current names that people search for, while the list has the earlier ones. */
const namesOfToday: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Asmara',
  'America/Godthab': 'Nuuk',
  'Asia/Calcutta': 'Kolkata',
  'Asia/Katmandu': 'Kathmandu',
  'Asia/Rangoon': 'Yangon',
  'Asia/Saigon': 'Ho Chi Minh',
  'Atlantic/Faeroe': 'Faroe',
  'Europe/Kiev': 'Kyiv',
  'Pacific/Enderbury': 'Kanton',
  'Pacific/Ponape': 'Pohnpei',
  'Pacific/Truk': 'Chuuk',
}

/** The options, sorted from west to east and then by name. */
export function zoneOptions(entries: readonly TimeZoneEntry[]): readonly Option[] {
  return [...entries]
    .sort((a, b) => a.utcOffset - b.utcOffset || a.timeZone.localeCompare(b.timeZone))
    .map(({ timeZone, utcOffset, place, name }) => ({
      value: timeZone,
      label: place === '' ? zoneName(timeZone) : `${zoneName(timeZone)} – ${place}`,
      hint: offsetText(utcOffset),
      keywords: `${timeZone} ${name} ${offsetWords(utcOffset)} ${namesOfToday[timeZone] ?? ''}`,
    }))
}
