/** The brand's legal texts, which are public. */
export { SubscriptionAgreement, Terms, ThirdPartyTerms } from './LegalPage.tsx'
