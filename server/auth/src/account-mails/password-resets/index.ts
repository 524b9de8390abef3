export { askForReset, type CallDeps, sendApiError, setByReset } from './calls.ts'
export { type ForgotDeps, forgotPassword } from './page.ts'
