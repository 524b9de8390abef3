import { expect, test } from 'vitest'
import { readFirstUser } from './form.ts'

const fitting = {
  company: 'Café Noord',
  firstName: 'Łucja',
  lastName: 'van den Berg',
  email: 'lucja@noord.example',
  password: 'Correct-horse7',
  confirmation: 'Correct-horse7',
}
const read = (changed: Partial<typeof fitting> = {}) => readFirstUser(new URLSearchParams({ ...fitting, ...changed }))

test('values that fit every rule are accepted and trimmed', () => {
  const { confirmation: _, ...person } = fitting
  expect(read({ company: '  Café Noord ', email: ' lucja@noord.example' })).toEqual({ kind: 'fits', person })
})

test.each([
  [{ company: ' ' }, { company: 'Company name is required' }],
  [{ company: 'N' }, { company: 'Please enter a valid Company name' }],
  [{ firstName: '' }, { firstName: 'First name is required' }],
  [{ lastName: '<b>' }, { lastName: 'Please enter a valid name' }],
  [{ email: '' }, { email: 'Please enter your email address' }],
  [{ email: 'lucja@noord' }, { email: 'Please enter a valid email address' }],
  [{ password: 'Short-1', confirmation: 'Short-1' }, { password: 'Password should be 8-32 characters' }],
  [
    { password: ' Correct-horse7', confirmation: ' Correct-horse7' },
    { password: 'Password contains invalid characters' },
  ],
  [{ password: 'Password1', confirmation: 'Password1' }, { password: 'This password is too common' }],
  [{ confirmation: 'Correct-horse8' }, { confirmation: 'Password does not match' }],
])('%j is refused at its own field only', (changed, problems) => {
  expect(read(changed)).toMatchObject({ kind: 'wrong', problems })
  expect(read(changed)).toHaveProperty('problems', problems)
})

test('an empty form has an error in every field except the matching passwords', () => {
  const answer = readFirstUser(new URLSearchParams())
  expect(Object.keys(answer.kind === 'wrong' ? answer.problems : {})).toEqual([
    'company',
    'firstName',
    'lastName',
    'email',
    'password',
  ])
})

test('the values to show again never include a password', () => {
  expect(JSON.stringify(read({ firstName: '' }))).not.toContain(fitting.password)
})
