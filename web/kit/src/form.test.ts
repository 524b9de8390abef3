import { describe, expect, it } from 'vitest'
import { adopt, isChanged, isValid, leave, type Rules, refuse, shownProblem, startForm, typed } from './form.ts'

interface Person extends Record<string, string> {
  first: string
  last: string
}

const saved: Person = { first: 'Ada', last: 'Lovelace' }
const rules: Rules<Person> = { first: (text) => (text === '' ? 'First name is required' : undefined) }

describe('a form', () => {
  it('is unchanged at first and after a value is restored', () => {
    const form = typed(startForm(saved), 'first', 'Eve')
    expect(isChanged(startForm(saved))).toBe(false)
    expect(isChanged(form)).toBe(true)
    expect(isChanged(typed(form, 'first', 'Ada'))).toBe(false)
  })

  it('is invalid immediately but shows the error only after the field was left', () => {
    const form = typed(startForm(saved), 'first', '')
    expect(isValid(form, rules)).toBe(false)
    expect(shownProblem(form, rules, 'first')).toBeUndefined()
    expect(shownProblem(leave(form, 'first'), rules, 'first')).toBe('First name is required')
  })

  it('shows a server error until that field changes', () => {
    const form = refuse(startForm(saved), { last: 'taken' })
    expect(shownProblem(form, rules, 'last')).toBe('taken')
    expect(shownProblem(typed(form, 'first', 'Eve'), rules, 'last')).toBe('taken')
    expect(shownProblem(typed(form, 'last', 'Byron'), rules, 'last')).toBeUndefined()
  })

  it('takes new server values for unedited fields and keeps edited ones', () => {
    const form = adopt(typed(startForm(saved), 'first', 'Eve'), { first: 'Augusta', last: 'King' })
    expect(form.values).toEqual({ first: 'Eve', last: 'King' })
    expect(isChanged(form)).toBe(true)
  })

  it('is unchanged once the server has the typed value', () => {
    const form = adopt(typed(startForm(saved), 'first', 'Eve'), { ...saved, first: 'Eve' })
    expect(isChanged(form)).toBe(false)
  })
})
