import type { SandboxCheckout, SandboxInvoice } from './objects.ts';

/** Returns the page on which a person of the sandbox pays. */
export function checkoutPage(checkout: SandboxCheckout): string {
  const { price, seats, email } = checkout;
  return page(
    'Checkout (sandbox)',
    `<p>This is the payment provider's page in the sandbox: no card is asked for and no money moves.</p>
<dl><dt>For</dt><dd>${escaped(email)}</dd>
<dt>Order</dt><dd>${seats} × ${escaped(price.lookupKey)}</dd>
<dt>Total</dt><dd>${money(price.amount * seats, price.currency)} per ${price.interval}</dd></dl>
<form method="post"><button>Pay with the test card</button></form>
<p><a href="${escaped(checkout.cancelUrl)}">Cancel</a></p>`,
  );
}

/** Returns the page of an invoice. */
export function invoicePage(invoice: SandboxInvoice): string {
  const { number, status, total, subscription, created } = invoice;
  return page(
    `Invoice ${number} (sandbox)`,
    `<dl><dt>For</dt><dd>${escaped(subscription.customer.email)}</dd>
<dt>Date</dt><dd>${new Date(created * 1000).toISOString().slice(0, 10)}</dd>
<dt>Total</dt><dd>${money(total, subscription.price.currency)}</dd><dt>State</dt><dd>${status}</dd></dl>`,
  );
}

/** Returns a page with one sentence. */
export function resultPage(sentence: string): string {
  return page('Payments (sandbox)', `<p>${escaped(sentence)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width"><style>
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}
dl{display:grid;grid-template-columns:6rem 1fr;gap:.25rem 1rem}dd{margin:0}button{font:inherit;padding:.5rem 1rem}
</style><main><h1>${escaped(title)}</h1>${body}</main></html>`;
}

function money(minor: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(minor / 100);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
