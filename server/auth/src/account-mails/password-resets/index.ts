export { askForReset, type CallParts, refuse, setByReset } from './calls.ts'
export { type ForgotParts, forgotPassword } from './page.ts'
