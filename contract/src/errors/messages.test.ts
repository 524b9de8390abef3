import { describe, expect, it } from 'vitest'
import { customMessages, getErrorMessage } from './messages.ts'

const UNKNOWN =
  'The application has encountered an unknown error, try again later. If the problem persists, contact support.'
const PERSISTS = 'If the problem persists, contact support.'
const PASSWORD = 'The new password is not valid. Allowed special characters: - _ . , ! ? @ $ & * ^ = % : / \\ ~ + # "'

describe('error messages about users, rights, keys, support and dealers (specification §8)', () => {
  it.each([
    ['adding an account', 35, 4, `Couldn't create the customer. ${PERSISTS}`],
    ['adding an account', 35, 5, 'An account with this email address already exists.'],
    ['an API key', 51, 3, 'The name can contain only letters and numbers.'],
    ['an API key', 51, 5, 'An API key with this name already exists.'],
    ['requesting a password link', 68, 3, 'This is not a valid email address.'],
    ['adding a user', 71, 5, 'A user with this email address already exists.'],
    ['adding a user', 71, 6, "You've reached the maximum number of users. To add more, contact your reseller."],
    ['checking the password', 74, 8, 'Incorrect password'],
    ['support access', 82, 1, 'There was an error updating support access. Please try again.'],
    ['setting a password', 86, 3, PASSWORD],
    ['adding a reseller', 150, 4, `Couldn't create the reseller. ${PERSISTS}`],
    ['adding a reseller', 150, 5, 'A reseller with this name already exists.'],
    ['adding a distributor', 158, 4, `Couldn't create the distributor. ${PERSISTS}`],
    ['adding a distributor', 158, 5, 'A distributor with this name already exists.'],
    ['moving an account', 176, 6, "Couldn't move the account because of a billable entity conflict."],
    ['changing the password', 216, 3, PASSWORD],
    ['changing the password', 216, 8, 'Incorrect password'],
    ['changing name or address', 217, 5, 'A user with this email address already exists.'],
    ['changing name or address', 217, 8, 'Incorrect password'],
    ['the time zone of the account', 226, 1, `Couldn't change the time zone. ${PERSISTS}`],
  ])('%s (%i), code %i', (_, operation, code, text) => {
    expect(getErrorMessage(operation, code)).toBe(text)
  })

  it.each([1, 2, 3, 4, 6, 20])('code %i without its own message is an unknown error', (code) => {
    expect(getErrorMessage(undefined, code)).toBe(UNKNOWN)
  })

  it('a code with a standard message uses it for operations without their own message', () => {
    const duplicate =
      'The new resource could not be created as a resource with the same identifying information already exists'
    expect([getErrorMessage(undefined, 5), getErrorMessage(82, 5)]).toEqual([duplicate, duplicate])
    expect(getErrorMessage(undefined, 4711)).toBe(UNKNOWN)
  })

  it('every message that ends with a request to contact support uses the same words', () => {
    const texts = Object.values(customMessages).flatMap((ofOperation) => Object.values(ofOperation))
    const asking = texts.filter((text) => text.includes('contact support'))
    expect(asking.length).toBeGreaterThan(5)
    expect(asking.filter((text) => !text.endsWith(PERSISTS))).toEqual([])
  })
})
