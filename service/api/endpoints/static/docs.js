// Shows this server's own document with Swagger UI; nothing is fetched from anywhere else.
const dark = matchMedia("(prefers-color-scheme: dark)");
document.documentElement.classList.toggle("dark-mode", dark.matches);
SwaggerUIBundle({
  url: "/openapi.yaml",
  dom_id: "#docs",
  deepLinking: true,
  displayOperationId: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
