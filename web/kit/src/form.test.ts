import { describe, expect, it } from 'vitest'
import { adopt, isChanged, isValid, leave, type Rules, refuse, shownProblem, startForm, typed } from './form.ts'

interface Person extends Record<string, string> {
  first: string
  last: string
}

const saved: Person = { first: 'Ada', last: 'Lovelace' }
const rules: Rules<Person> = { first: (text) => (text === '' ? 'First name is required' : undefined) }

describe('a form', () => {
  it('is not changed at first, nor after a value was typed back', () => {
    const form = typed(startForm(saved), 'first', 'Eve')
    expect(isChanged(startForm(saved))).toBe(false)
    expect(isChanged(form)).toBe(true)
    expect(isChanged(typed(form, 'first', 'Ada'))).toBe(false)
  })

  it('is invalid at once but says so under the field only after it was left', () => {
    const form = typed(startForm(saved), 'first', '')
    expect(isValid(form, rules)).toBe(false)
    expect(shownProblem(form, rules, 'first')).toBeUndefined()
    expect(shownProblem(leave(form, 'first'), rules, 'first')).toBe('First name is required')
  })

  it('shows what the server refused until that field gets another value', () => {
    const form = refuse(startForm(saved), { last: 'taken' })
    expect(shownProblem(form, rules, 'last')).toBe('taken')
    expect(shownProblem(typed(form, 'first', 'Eve'), rules, 'last')).toBe('taken')
    expect(shownProblem(typed(form, 'last', 'Byron'), rules, 'last')).toBeUndefined()
  })

  it('follows the server in fields that nobody edited and keeps the edited ones', () => {
    const form = adopt(typed(startForm(saved), 'first', 'Eve'), { first: 'Augusta', last: 'King' })
    expect(form.values).toEqual({ first: 'Eve', last: 'King' })
    expect(isChanged(form)).toBe(true)
  })

  it('is no longer changed once the server holds what was typed', () => {
    const form = adopt(typed(startForm(saved), 'first', 'Eve'), { ...saved, first: 'Eve' })
    expect(isChanged(form)).toBe(false)
  })
})
