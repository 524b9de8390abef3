import type { Locator } from 'playwright-core'

/** The parts of a date field by the kind of their segment, in the order in which they are typed. */
const parts = { year: 0, month: 1, day: 2 } as const
const times = { hour: 0, minute: 1, second: 2 } as const

async function type(field: Locator, name: string, digits: string): Promise<void> {
  await field.locator(`[data-type=${name}]`).pressSequentially(digits)
}

/** Types `2026-11-01` into a date field, whatever the order of its language. */
export async function fillDate(field: Locator, date: string): Promise<void> {
  const values = date.split('-')
  for (const [name, index] of Object.entries(parts)) await type(field, name, values[index] ?? '')
}

/** Types `17:05`, or `17:05:09` where there are seconds, into a time field, on its clock of 12 or 24 hours. */
export async function fillTime(field: Locator, time: string): Promise<void> {
  const values = time.split(':')
  const hour = Number(values[0])
  const dayPeriod = field.locator('[data-type=dayPeriod]')
  const isTwelve = (await dayPeriod.count()) > 0
  const shown = isTwelve ? String(hour % 12 === 0 ? 12 : hour % 12).padStart(2, '0') : (values[times.hour] ?? '')
  await type(field, 'hour', shown)
  await type(field, 'minute', values[times.minute] ?? '')
  if (values[times.second] !== undefined) await type(field, 'second', values[times.second] ?? '')
  if (isTwelve) await dayPeriod.press(hour < 12 ? 'a' : 'p')
}

/** Types `2026-11-01T17:05`, or `2026-11-01T17:05:09`, into a field of a date and a time. */
export async function fillDateTime(field: Locator, moment: string): Promise<void> {
  const [date = '', time = ''] = moment.split('T')
  await fillDate(field, date)
  await fillTime(field, time)
}

/** Empties a date or time field by the keyboard. */
export async function clearField(field: Locator): Promise<void> {
  const segments = field.locator('[role=spinbutton]')
  for (const segment of await segments.all()) {
    while ((await segment.getAttribute('data-placeholder')) === null) await segment.press('Backspace')
  }
}
