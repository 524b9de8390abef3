import * as z from 'zod/mini'
import {
  contactDetails,
  contactDetailsPatch,
  countryCode,
  distributorParams,
  email,
  ofDistributor,
  organisationName,
} from '../resellers/index.ts'
import { dateTime, id, nothing, route } from '../wire/index.ts'

/** An organization that manages resellers. */
export const distributor = z.object({
  distributorId: id,
  name: z.string(),
  email: z.nullable(z.string()),
  country: z.nullable(z.string()),
  contactDetails,
  resellers: z.int(),
  createdAt: dateTime,
})
export type Distributor = z.infer<typeof distributor>

export const newDistributor = z.object({
  name: organisationName,
  email: z.optional(z.nullable(email)),
  country: z.optional(z.nullable(countryCode)),
  contactDetails: z.optional(contactDetailsPatch),
})
export type NewDistributor = z.infer<typeof newDistributor>

export const distributorPatch = z.partial(newDistributor)
export type DistributorPatch = z.infer<typeof distributorPatch>

export const getDistributors = route({
  name: 'getDistributors',
  summary: 'List distributors',
  method: 'GET',
  path: 'distributors',
  access: 'tenant',
  callers: 'staff',
  level: 'admin',
  support: 'no',
  reply: z.array(distributor),
  list: { key: 'distributorId', sort: ['name', 'distributorId', 'createdAt', 'resellers'], defaultLimit: 100 },
  errors: [],
})

export const addDistributor = route({
  name: 'addDistributor',
  summary: 'Create a distributor',
  method: 'POST',
  path: 'distributors',
  access: 'tenant',
  callers: 'staff',
  level: 'admin',
  apiKey: 'no',
  support: 'no',
  operation: 158,
  body: newDistributor,
  reply: distributor,
  status: 201,
  created: 'distributors/{distributorId}',
  errors: ['validation', 'duplicate'],
})

export const getDistributor = route({
  name: 'getDistributor',
  summary: 'Get a distributor; also available to its own staff',
  method: 'GET',
  path: 'distributors/{distributorId}',
  access: 'object',
  callers: 'staff',
  level: 'distributor',
  support: 'no',
  ids: ofDistributor,
  params: distributorParams,
  reply: distributor,
  errors: ['notFound'],
})

export const patchDistributor = route({
  name: 'patchDistributor',
  summary: 'Update the name or contact of a distributor',
  method: 'PATCH',
  path: 'distributors/{distributorId}',
  access: 'object',
  callers: 'staff',
  level: 'admin',
  apiKey: 'no',
  support: 'no',
  operation: 158,
  ids: ofDistributor,
  params: distributorParams,
  body: distributorPatch,
  reply: distributor,
  errors: ['validation', 'notFound', 'duplicate'],
})

export const deleteDistributor = route({
  name: 'deleteDistributor',
  summary: 'Delete a distributor and its staff; not possible while it has resellers',
  method: 'DELETE',
  path: 'distributors/{distributorId}',
  access: 'object',
  callers: 'staff',
  level: 'admin',
  apiKey: 'no',
  support: 'no',
  ids: ofDistributor,
  params: distributorParams,
  reply: nothing,
  status: 204,
  errors: ['notFound', 'businessRule'],
})
