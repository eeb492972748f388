// The page at the root of a server.

/** A page that names the API. */
export const pageHtml = (): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>asof</title>
<h1>asof</h1>
<p>This server answers questions as of a time. Its interface is described in
<a href="openapi.json">openapi.json</a>; <code>POST v1/corpora/NAME/ask</code> asks.</p>
</html>
`;
