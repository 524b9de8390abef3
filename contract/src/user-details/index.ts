import * as z from 'zod/mini'
import { route } from '../wire/index.ts'
import { boundedText, checkedText, companyProblem, phoneProblem } from './rules.ts'

export {
  boundedText,
  checkedText,
  companyProblem,
  emailProblem,
  filledText,
  foldEmail,
  HIDDEN_CHARACTERS,
  nameProblem,
  phoneProblem,
  searchText,
  steersText,
} from './rules.ts'

/** Languages that there are translations for; `aa` only on a host for translators (specification §1). */
export const languageCodes = ['aa', 'de', 'en', 'es', 'ja', 'nl', 'pl', 'pt', 'tr'] as const
export const languageCode = z.enum(languageCodes)

/** Null is "not given" (specification §3, api.md §4). */
export const userDetails = z.object({
  language: languageCode,
  companyName: z.nullable(z.string()),
  /** ISO 3166-1 alpha-2. */
  country: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  address: z.nullable(z.string()),
  city: z.nullable(z.string()),
  region: z.nullable(z.string()),
  postalCode: z.nullable(z.string()),
  secondaryPhone: z.nullable(z.string()),
  /** Of the account; changed by its own call. */
  timeZone: z.string(),
})
export type UserDetails = z.infer<typeof userDetails>

export const userDetailsPatch = z.partial(
  z.object({
    language: languageCode,
    companyName: z.nullable(checkedText(companyProblem)),
    country: z.nullable(z.string().check(z.regex(/^[A-Z]{2}$/, 'Please choose a country from the list'))),
    phone: z.nullable(checkedText(phoneProblem)),
    address: z.nullable(boundedText(2, 255)),
    city: z.nullable(boundedText(2, 128)),
    region: z.nullable(boundedText(2, 128)),
    postalCode: z.nullable(boundedText(2, 16)),
    secondaryPhone: z.nullable(checkedText(phoneProblem)),
  }),
)
export type UserDetailsPatch = z.infer<typeof userDetailsPatch>

export const getUserDetails = route({
  name: 'getUserDetails',
  summary: 'Get the language, company, country, telephone and address of the signed-in user',
  method: 'GET',
  path: 'users/self/details',
  access: 'authenticated',
  support: 'yes',
  reply: userDetails,
  errors: [],
})

export const patchUserDetails = route({
  name: 'patchUserDetails',
  summary: 'Update the details of the signed-in user; null or an empty string clears a field',
  method: 'PATCH',
  path: 'users/self/details',
  access: 'authenticated',
  apiKey: 'no',
  support: 'yes',
  body: userDetailsPatch,
  reply: userDetails,
  errors: ['validation'],
})
