import type { Translation } from '@sightline/shell'
import { fieldWords } from '@sightline/shell/audit-difference'
import type { SupportText } from './text.ts'

const fieldTexts: Readonly<Record<string, SupportText>> = {
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email address',
  phone: 'Phone number',
  telephone: 'Phone number',
  companyName: 'Company',
  address: 'Address',
  postalCode: 'Postal code',
  city: 'City',
  region: 'Region',
  countryCode: 'Country',
  country: 'Country',
  language: 'Language',
  timeZone: 'Time zone',
  zoneId: 'Zone ID',
  latitude: 'Latitude',
  longitude: 'Longitude',
  status: 'Status',
  enabled: 'Enabled',
  alertDelay: 'Alert delay (minutes)',
  alertRepeat: 'Alert repeat (minutes)',
  alertByEmail: 'Email alerts',
  alertByPush: 'Browser notifications',
}

/** The name of an audit log field; without a text, derived from the field's English name. */
export function fieldText(field: string, t: Translation<SupportText>): string {
  const known = fieldTexts[field.slice(field.lastIndexOf('.') + 1)]
  return known === undefined ? fieldWords(field) : t(known)
}
