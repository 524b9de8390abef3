import * as z from 'zod/mini'
import { countryCodes } from '../reference-lists/index.ts'
import {
  boundedText,
  checkedText,
  companyProblem,
  emailProblem,
  nameProblem,
  phoneProblem,
} from '../user-details/index.ts'
import { idText } from '../wire/index.ts'

/** `self` is the caller's distributor or reseller. */
export const organisationIdText = z.union([z.literal('self'), idText])

export const distributorParams = z.object({ distributorId: organisationIdText })
export const ofDistributor = { 'params.distributorId': 'distributor' } as const

/** Of a distributor, a reseller or an account: 2 to 255 characters, those of a company's name (specification §5). */
export const organisationName = checkedText((text) => (text.trim() === '' ? 'Name is required' : companyProblem(text)))

/** ISO 3166-1 alpha-2, assigned codes only. */
export const countryCode = z
  .string()
  .check(z.refine((code) => countryCodes.has(code), 'Please choose a country from the list'))

export const email = checkedText(emailProblem)

/** Identifiers in a customer's systems: letters, digits and `-`. */
export const zohoId = z.string().check(z.regex(/^[0-9A-Za-z-]{1,64}$/))

/** The contact person. Lengths are those that existing clients send; missing fields are unknown. */
export const contactDetails = z.partial(
  z.object({
    firstName: z.string(),
    lastName: z.string(),
    contactEmail: z.string(),
    companyName: z.string(),
    phone: z.string(),
    secondaryPhone: z.string(),
    address: z.string(),
    city: z.string(),
    region: z.string(),
    postalCode: z.string(),
    country: z.string(),
  }),
)
export type ContactDetails = z.infer<typeof contactDetails>

const contactParts = {
  firstName: checkedText((text) => nameProblem('First', text, 128)),
  lastName: checkedText((text) => nameProblem('Last', text, 128)),
  contactEmail: z.string().check(z.maxLength(255), z.email('Please enter a valid email address')),
  companyName: checkedText(companyProblem),
  phone: checkedText(phoneProblem),
  secondaryPhone: checkedText(phoneProblem),
  address: boundedText(2, 255),
  city: boundedText(2, 128),
  region: boundedText(2, 128),
  postalCode: boundedText(2, 16),
  country: countryCode,
}

/** Null or an empty text clears a field. */
export const contactDetailsPatch = z.partial(
  z.object({
    firstName: z.nullable(contactParts.firstName),
    lastName: z.nullable(contactParts.lastName),
    contactEmail: z.nullable(contactParts.contactEmail),
    companyName: z.nullable(contactParts.companyName),
    phone: z.nullable(contactParts.phone),
    secondaryPhone: z.nullable(contactParts.secondaryPhone),
    address: z.nullable(contactParts.address),
    city: z.nullable(contactParts.city),
    region: z.nullable(contactParts.region),
    postalCode: z.nullable(contactParts.postalCode),
    country: z.nullable(contactParts.country),
  }),
)
export type ContactDetailsPatch = z.infer<typeof contactDetailsPatch>

/** A person who will sign in: the names are required. */
export const personalContactDetails = z.extend(contactDetailsPatch, {
  firstName: contactParts.firstName,
  lastName: contactParts.lastName,
})
