export { askForReset, type CallDeps, refuse, setByReset } from './calls.ts'
export { type ForgotDeps, forgotPassword } from './page.ts'
