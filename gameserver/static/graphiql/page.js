// Starts GraphiQL for the address of this page. `?query=` and `?variables=` fill the editors.
const asked = new URLSearchParams(location.search);
const url = location.origin + location.pathname;
const fetcher = GraphiQL.createFetcher({ url, subscriptionUrl: url.replace(/^http/, "ws") });
const welcome = `# Write {"Authorization": "Bearer <token>"} under Headers, below.
# Then run a query:

{
  me {
    displayName
  }
}
`;
ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, {
    fetcher,
    defaultQuery: welcome,
    query: asked.get("query") ?? undefined,
    variables: asked.get("variables") ?? undefined,
    defaultEditorToolsVisibility: "headers",
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: false,
  }),
);
