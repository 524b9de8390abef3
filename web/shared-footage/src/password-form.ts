import type { ShareAnswer } from './open-link.ts'
import { element, show } from './page.ts'
import { inMinutes, text } from './texts.ts'

/** Asks for the password of a link until `submit` says that it was right, or that something else is to be shown. */
export function askPassword(submit: (password: string) => Promise<ShareAnswer>): void {
  const input = element('input', {
    id: 'password',
    type: 'password',
    autocomplete: 'off',
    maxlength: '128',
    required: '',
    'aria-describedby': 'hint problem',
  })
  const problem = element('p', { class: 'bad', role: 'alert', id: 'problem' })
  const button = element('button', { type: 'submit' }, [text('Open')])
  const form = element('form', { novalidate: '' }, [
    element('label', { for: 'password' }, [text('Password')]),
    element('p', { class: 'hint', id: 'hint' }, [text('The person who sent the link has the password.')]),
    input,
    problem,
    button,
  ])
  const tryPassword = async () => {
    button.disabled = true
    problem.textContent = ''
    const opened = await submit(input.value)
    button.disabled = false
    if (opened.kind === 'wrongPassword') problem.textContent = text('That password isn’t right.')
    else if (opened.kind === 'wait')
      problem.textContent = text('Too many tries. You can try again {time}.', { time: inMinutes(opened.waitMs) })
    else return
    input.setAttribute('aria-invalid', 'true')
    input.focus()
    input.select()
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (input.value === '') input.focus()
    else if (!button.disabled) void tryPassword()
  })
  show(text('Shared footage'), element('section', {}, [form]))
  input.focus()
}
